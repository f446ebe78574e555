/**
 * For every hosting tool, the commands that only read, sign in, or work on this machine. All others change something that
 * others see. A phrase is the first words of a command; `emulators:*` is any word that starts with `emulators:`.
 */
export const readOnlyCommands: Readonly<Record<string, readonly string[]>> = {
  heroku:
    phrases(`apps, apps:info, apps:list, apps:errors, apps:favorites, info, ps, ps:type, ps:exec, ps:wait, logs, config,
    config:get, releases, releases:info, releases:output, addons, addons:info, addons:docs, addons:plans,
    addons:services, addons:open, pg, pg:info, pg:psql, pg:backups, pg:backups:capture, pg:backups:download,
    pg:backups:info, pg:backups:url, pg:backups:schedules, pg:ps, pg:locks, pg:diagnose, pg:outliers, pg:bloat,
    pg:blocking, pg:credentials, pg:credentials:url, pg:connection-pooling, pg:pull, pg:wait, pg:settings,
    pg:maintenance, pg:links, pg:vacuum-stats, pg:index-usage, pg:cache-hit, pg:seq-scans, pg:long-running-queries,
    pg:table-size, pg:table-indexes, pg:unused-indexes, pg:upgrade:wait, psql, run, run:inside, local, local:*,
    login, logout, auth, auth:whoami, auth:token, auth:2fa, auth:login, auth:logout, whoami, git:remote, git:clone,
    status, help, version, plugins, plugins:*, access, buildpacks, buildpacks:info, buildpacks:search,
    buildpacks:versions, domains, domains:info, certs, certs:info, pipelines, pipelines:info, pipelines:list,
    pipelines:diff, pipelines:open, regions, stack, redis, redis:info, redis:cli, redis:credentials, redis:wait,
    container:login, labs, labs:info, features, features:info, keys, members, teams, orgs, webhooks, open, update,
    autocomplete, commands, which, search, spaces, spaces:info, spaces:ps, drains, notifications, sessions, ci,
    ci:info, ci:last, ci:debug, ci:config, dyno, reviewapps, usage:*, telemetry, authorizations, clients,
    kafka:info, kafka:topics`),
  fly: phrases(`status, log, logs, app list, app open, app errors, app releases, apps list, apps open, apps errors, apps
    releases, secret list, secrets list, ssh, auth, machine list, machine status, machine exec, machines list,
    machines status, machines exec, volume list, volume show, volume snapshots list, volumes list, volumes show,
    volumes snapshots list, launch, info, releases, history, open, ips list, certs list, certs show, certs check,
    regions list, platform, doctor, version, help, proxy, wireguard list, orgs list, orgs show, pg list, pg connect,
    pg config show, postgres list, postgres connect, postgres config show, mysql list, redis list, redis status,
    config show, config validate, config save, config env, checks list, image show, services list, scale show,
    tokens list, dig, ping, sftp, console, agent, docs, settings, storage list, dashboard, curl, registry,
    incidents, jobs, turboku, extensions list, mpg list`),
  vercel:
    phrases(`dev, build, ls, list, log, logs, inspect, env ls, env list, env pull, env run, link, pull, whoami, login,
    logout, help, switch, team ls, team list, team switch, teams ls, teams list, teams switch, project ls, project
    list, project inspect, projects ls, projects list, projects inspect, domain ls, domain list, domain inspect,
    domains ls, domains list, domains inspect, dns ls, dns list, cert ls, cert list, certs ls, certs list, alias ls,
    alias list, git ls, git connect, init, secret ls, secret list, secrets ls, secrets list, bisect, curl, httpstat,
    telemetry, target ls, target list, integration list, integration open, cache, blob list, blob get, mcp, open`),
  netlify:
    phrases(`dev, dev:exec, serve, build, status, status:hooks, sites:list, link, unlink, env:list, env:get, login, logout,
    functions:serve, functions:list, functions:invoke, functions:create, functions:build, open, open:*, init,
    switch, watch, addons:list, blobs:get, blobs:list, help, recipes, recipes:list, logs, logs:*, completion,
    completion:*, lm:*, graph*, db status, teams:list, agents:list, agents:show`),
  wrangler:
    phrases(`dev, tail, whoami, types, login, logout, init, generate, docs, help, telemetry, versions list, versions view,
    deployments, kv:namespace list, kv:namespace get, kv:key list, kv:key get, kv:bulk list, kv:bulk get, kv
    namespace list, kv namespace get, kv key list, kv key get, kv bulk list, kv bulk get, r2 bucket list, r2 bucket
    info, r2 bucket get, r2 object list, r2 object info, r2 object get, r2 bucket lifecycle list, r2 bucket cors
    list, d1 list, d1 info, d1 execute, d1 export, d1 insights, d1 migrations list, d1 migrations create, d1
    time-travel info, pages dev, pages project list, pages deployment list, pages deployment tail, pages functions,
    pages download, secret list, secret:list, queues list, queues info, vectorize list, vectorize get, vectorize
    info, vectorize query, hyperdrive list, hyperdrive get, ai models, ai finetune list, check, build, setup, cert
    list, dispatch-namespace list, dispatch-namespace get, workflows list, workflows describe, workflows instances
    list, workflows instances describe, preview`),
  firebase:
    phrases(`emulators:*, serve, login, login:*, logout, projects:list, functions:log, functions:list, functions:shell,
    functions:config:get, functions:secrets:get, functions:secrets:access, use, init, help, apps:list,
    apps:sdkconfig, hosting:sites:list, hosting:channel:list, firestore:indexes, firestore:databases:list,
    firestore:locations, firestore:databases:get, database:get, database:profile, database:instances:list,
    auth:export, target, open, setup:*, experiments:*, ext, ext:list, ext:info, ext:export, remoteconfig:get,
    remoteconfig:versions:list, crashlytics:*, apphosting:backends:list,
    apphosting:backends:get, apphosting:secrets:describe, apphosting:emulator, dataconnect:services:list,
    dataconnect:sdk:generate, mcp`),
  railway:
    phrases(`status, log, logs, run, shell, link, unlink, list, login, logout, whoami, open, docs, environment, service,
    variables, connect, ssh, help, init, completion, starship, dev, metrics`),
  amplify:
    phrases(`status, pull, env list, env get, env checkout, console, configure, init, codegen, mock, diagnose, help, version,
    logout, sandbox`),
  eb: phrases(`status, log, logs, list, events, health, ssh, use, init, open, console, printenv, local, platform list, platform
    show, tags`),
  sam: phrases(`build, local, validate, init, logs, list, docs, traces, pipeline init, remote test-event list, remote test-event
    get`),
  chalice: phrases(`local, url, logs, new-project, package, gen-policy, generate-sdk, generate-models, validate, dev`),
  copilot:
    phrases(`app ls, app show, app status, app logs, app exec, app package, env ls, env show, env status, env logs, env exec,
    env package, svc ls, svc show, svc status, svc logs, svc exec, svc package, job ls, job show, job status, job
    logs, job exec, job package, pipeline ls, pipeline show, pipeline status, pipeline logs, pipeline exec, pipeline
    package, task ls, task show, task status, task logs, task exec, task package, init, completion, version, docs,
    storage init`),
  cf: phrases(`app, apps, a, logs, login, logout, target, t, services, s, service, env, events, routes, domains, spaces, orgs,
    org, space, marketplace, m, buildpacks, stacks, ssh, api, auth, help, version, v3-apps, tasks, revisions,
    network-policies, quotas, feature-flags, plugins, oauth-token, ssh-code, check-route, droplets, packages`),
  dokku:
    phrases(`apps:list, apps:exists, apps:report, config, config:show, config:get, config:keys, config:export, logs,
    ps:report, ps:inspect, domains:report, ls, url, urls, version, help, events, run, enter, postgres:list,
    postgres:info, postgres:connect, postgres:export, postgres:logs`),
  kamal:
    phrases(`config, details, audit, docs, help, version, init, app details, app logs, app images, app containers, app
    stale_containers, app version, app exec, logs, proxy details, proxy logs, accessory details, accessory logs,
    server exec, lock status, build details, build dev, secrets fetch, secrets extract, secrets print`),
  eas: phrases(`whoami, login, logout, init, config, diagnostics, project:*, build:list, build:view, build:configure,
    build:inspect, build:version:get, build:run, build:download, update:list, update:view, update:configure,
    submit:list, submit:view, channel:list, channel:view, branch:list, branch:view, env:list, env:get, env:pull,
    env:exec, credentials, device:list, device:view, metadata:pull, metadata:lint, autocomplete, analytics, open,
    help, webhook:list, webhook:view, workflow:list, workflow:view, workflow:logs, workflow:validate,
    workflow:status`),
  stripe:
    phrases(`listen, trigger, login, logout, logs, config, status, help, version, open, samples, fixtures, completion, get,
    feedback, resources, serve, community, plugin, * list, * retrieve, * search`),
  render:
    phrases(`login, logout, whoami, services list, logs, deploys list, psql, ssh, jobs list, workspace, workspaces, environments,
    projects, blueprint validate, blueprints validate`),
  cloudflared:
    phrases(`tunnel list, tunnel info, tunnel login, tunnel ingress, tunnel ready, version, update, login, access login,
    access token, access ssh-config`),
}

/** Whether a command starts with one of the phrases. */
export function startsWithPhrase(command: string, known: readonly string[]): boolean {
  const words = command.split(' ')
  return known.some(phrase => {
    const wanted = phrase.split(' ')
    return wanted.every((word, i) => (word.endsWith('*') ? words[i]?.startsWith(word.slice(0, -1)) : words[i] === word))
  })
}

function phrases(text: string): string[] {
  return text.split(',').map(phrase => phrase.trim().replace(/\s+/g, ' '))
}
