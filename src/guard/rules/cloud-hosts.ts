import type { Call } from '../call.ts'
import type { Grammar } from '../options.ts'
import type { Rule } from './rule.ts'
import { list, said } from './words.ts'

// For every host, what its commands that only look or work on this machine are called. All others change something.
const looks: Readonly<Record<string, RegExp>> = {
  heroku:
    /^(apps|apps:(info|list|errors|favorites)|info|ps|ps:(type|exec|wait)|logs|config|config:(get|edit-help)|releases|releases:(info|output)|addons|addons:(info|docs|plans|services|open)|pg|pg:(info|psql|backups|backups:(capture|download|info|url|schedules)|ps|locks|diagnose|outliers|bloat|blocking|credentials|credentials:url|connection-pooling|pull|wait|settings|maintenance|links|vacuum-stats|index-usage|cache-hit|seq-scans|long-running-queries|table-size|table-indexes|unused-indexes|upgrade:wait)|psql|run|run:inside|local|local:\w+|login|logout|auth|auth:(whoami|token|2fa|login|logout)|whoami|git:(remote|clone)|status|help|version|plugins|plugins:\w+|access|buildpacks|buildpacks:(info|search|versions)|domains|domains:info|certs|certs:info|pipelines|pipelines:(info|list|diff|open)|regions|stack|redis|redis:(info|cli|credentials|wait)|container:login|labs|labs:info|features|features:info|keys|members|teams|orgs|webhooks|open|update|autocomplete|commands|which|search|spaces|spaces:(info|ps)|drains|notifications|sessions|ci|ci:(info|last|debug|config)|dyno|reviewapps|usage:\w+|telemetry|authorizations|clients|kafka:info|kafka:topics)(?=\s|$)/,
  fly: /^(status|logs?|apps? (list|open|errors|releases)|secrets? list|ssh( \S+)?|auth( \S+)?|machines? (list|status|exec)|volumes? (list|show|snapshots list)|launch|info|releases|history|open|ips list|certs (list|show|check)|regions list|platform \S+|doctor|version|help|proxy|wireguard list|orgs (list|show)|pg (list|connect|config show)|postgres (list|connect|config show)|mysql list|redis (list|status)|config (show|validate|save|env)|checks list|image show|services list|scale show|tokens list|dig|ping|sftp( \S+)?|console|agent \S+|docs|settings \S+|storage list|dashboard( \S+)?|curl|registry( \S+)?|incidents \S+|jobs|turboku|extensions list|mpg list)\b/,
  vercel:
    /^(dev|build|ls|list|logs?|inspect|env (ls|list|pull|run)|link|pull|whoami|login|logout|help|switch|teams? (ls|list|switch)|projects? (ls|list|inspect)|domains? (ls|list|inspect)|dns (ls|list)|certs? (ls|list)|alias (ls|list)|git (ls|connect)|init|secrets? (ls|list)|bisect|curl|httpstat|telemetry( \S+)?|target (ls|list)|integration (list|open)|cache|blob (list|get)|mcp|open)\b/,
  netlify:
    /^(dev(:exec)?|serve|build|status(:hooks)?|sites:list|link|unlink|env:(list|get|import-help)|login|logout|functions:(serve|list|invoke|create|build)|open(:\w+)?|init|switch|watch|addons:list|api|blobs:(get|list)|help|recipes(:list)?|logs(:\w+)?|completion(:\w+)?|lm:\w+|graph\S*|db status|teams:list|agents:(list|show))\b/,
  wrangler:
    /^(dev|tail|whoami|types|login|logout|init|generate|docs|help|telemetry|versions (list|view)|deployments( \S+)?|kv[: ](namespace|key|bulk) (list|get)|kv:(namespace|key) (list|get)|r2 (bucket|object) (list|info|get)|r2 bucket (list|info|lifecycle list|cors list)|d1 (list|info|execute|export|insights|migrations (list|create)|time-travel info)|pages (dev|project list|deployment (list|tail)|functions( \S+)?|download( \S+)?)|secret (list|bulk-help)|secret:list|queues (list|info)|vectorize (list|get|info|query)|hyperdrive (list|get)|ai (models|finetune list)|check( \S+)?|build|setup|cert list|dispatch-namespace (list|get)|workflows (list|describe|instances (list|describe))|preview)\b/,
  firebase:
    /^(emulators:\w+|serve|login(:\S+)?|logout|projects:list|functions:(log|list|shell|config:get|secrets:(get|access))|use|init|help|apps:(list|sdkconfig)|hosting:(sites:list|channel:list)|firestore:(indexes|databases:list|locations|databases:get)|database:(get|profile|instances:list)|auth:export|target|open|setup:\S+|experiments:\S+|ext(:(list|info|export))?|remoteconfig:(get|versions:list)|appdistribution:\S+list|crashlytics:\S+|apphosting:(backends:(list|get)|secrets:describe|emulator)|dataconnect:(services:list|sdk:generate)|mcp)\b/,
  railway:
    /^(status|logs?|run|shell|link|unlink|list|login|logout|whoami|open|docs|environment|service|variables|connect|ssh|help|init|completion|starship|dev|metrics)\b/,
  amplify:
    /^(status|pull|env (list|get|checkout)|console|configure|init|codegen|mock|diagnose|help|version|logout|sandbox)\b/,
  eb: /^(status|logs?|list|events|health|ssh|use|init|open|console|printenv|local|platform (list|show)|tags)\b/,
  sam: /^(build|local|validate|init|logs|list|docs|traces|pipeline init|package-help|remote test-event (list|get)|sync-help)\b/,
  chalice: /^(local|url|logs|new-project|package|gen-policy|generate-sdk|generate-models|validate|dev)\b/,
  copilot:
    /^((app|env|svc|job|pipeline|task) (ls|show|status|logs|exec|package)|init|completion|version|docs|storage init)\b/,
  cf: /^(apps?|a|logs|login|logout|target|t|services|s|service|env|events|routes|domains|spaces|orgs|org|space|marketplace|m|buildpacks|stacks|ssh|api|auth|help|version|v3-apps|tasks|revisions|network-policies|quotas|feature-flags|plugins|oauth-token|ssh-code|curl|check-route|droplets|packages)\b/,
  dokku:
    /^(apps:(list|exists|report)|config(:(show|get|keys|export))?|logs|ps:(report|inspect)|domains:report|ls|url\w*|version|help|events|run|enter|postgres:(list|info|connect|export|logs)|[\w-]+:(report|list|info|logs))\b/,
  kamal:
    /^(config|details|audit|docs|help|version|init|app (details|logs|images|containers|stale_containers|version|exec)|logs|proxy (details|logs)|accessory (details|logs)|server exec|lock status|build (details|dev)|secrets (fetch|extract|print))\b/,
  eas: /^(whoami|login|logout|init|config|diagnostics|project:\w+|build:(list|view|configure|inspect|version:get|run|download)|update:(list|view|configure)|submit:(list|view)|channel:(list|view)|branch:(list|view)|env:(list|get|pull|exec)|credentials|device:(list|view)|metadata:(pull|lint)|autocomplete|analytics|open|help|webhook:(list|view)|workflow:(list|view|logs|validate|status))\b/,
  stripe:
    /^(listen|trigger|login|logout|logs|config|status|help|version|open|samples|fixtures|completion|get|feedback|resources|serve|community|plugin|\w+ (list|retrieve|search))\b/,
  render:
    /^(login|logout|whoami|services( list)?$|logs|deploys list|psql|ssh|jobs list|workspaces?( \S+)?|environments|projects|blueprints? validate)\b/,
  cloudflared: /^(tunnel (list|info|login|ingress \S+|ready)|version|update|login|access (login|token|ssh-config))\b/,
}
const aliases: Readonly<Record<string, string>> = { flyctl: 'fly', vc: 'vercel', now: 'vercel', ntl: 'netlify' }
const deployBare = /^(vercel)$/
const safeFlags = ['-v', '-h', '--local', '--no-deploy', '--outdir-only']

function changesHost(call: Call): boolean {
  const name = aliases[call.program] ?? call.program
  const text = said(call)
  if (text === '') return deployBare.test(name)
  if (name === 'wrangler' && call.has('--local') && !call.has('--remote')) return false
  if (name === 'fly' && /^launch\b/.test(text)) return !call.has('--no-deploy')
  if (name === 'stripe' && call.has('--live') && !/\b(list|retrieve|search|listen|logs)\b/.test(text)) return true
  if (name === 'eas' && /^build( |$)/.test(text)) return !call.has('--local')
  return !looks[name]?.test(text)
}

const destroysHost =
  /(^|[\s:])(destroy|delete|remove|rm|reset|terminate|down|unset|purge|disable|undeploy|drop)([\s:]|$)/

// Infrastructure providers whose commands are nouns, then a verb.
const providers = list(
  'doctl hcloud linode-cli vultr-cli vultr scw oci ibmcloud aliyun openstack nova exo civo upctl tccli yc ovhcloud govc flarectl twilio sendgrid twine-cloud clever scalingo koyeb northflank platform upsun lagoon gcutil glance cinder neutron tencentcloud huaweicloud nebius lambda-cloud runpodctl vastai modal',
)
const providerVerbs =
  /(^|[\s:_-])(delete|destroy|remove|rm|terminate|purge|create|update|stop|start|reboot|restart|reset|rebuild|resize|poweroff|power-off|shutdown|deploy|set|add|attach|detach|assign|unassign|enable|disable|revoke|rotate|restore|rollback|upload|scale|launch|deactivate|activate|change|apply|import|push|transfer|release|unset|move)([\s:_-]|$)|(^|\s)(Delete|Create|Stop|Run|Reboot|Modify|Release|Terminate|Start)[A-Z]\w*/

export const hostRules: readonly Rule[] = [
  {
    id: 'cloud/host-delete',
    program: [...Object.keys(looks), ...Object.keys(aliases)],
    when: call => changesHost(call) && destroysHost.test(said(call)),
    severity: 'critical',
    reason: 'deletes or takes down something that is hosted, with what it holds',
    match: [
      'heroku apps:destroy -a x --confirm x',
      'heroku pg:reset -a x',
      'fly apps destroy x -y',
      'vercel rm x',
      'wrangler r2 bucket delete b',
      'firebase firestore:delete --all-collections',
    ],
    notMatch: ['heroku logs -a x', 'fly status', 'vercel ls', 'wrangler dev', 'firebase emulators:start'],
  },
  {
    id: 'cloud/host-change',
    program: [...Object.keys(looks), ...Object.keys(aliases)],
    none: safeFlags.filter(flag => flag !== '--local' && flag !== '--no-deploy'),
    when: call => changesHost(call) && !destroysHost.test(said(call)),
    severity: 'medium',
    reason: 'deploys, or changes settings of something that is hosted: others see it at once',
    match: [
      'vercel --prod',
      'vercel',
      'netlify deploy',
      'npx wrangler deploy',
      'fly deploy',
      'firebase deploy',
      'heroku config:set A=b',
    ],
    notMatch: [
      'vercel dev',
      'vercel --version',
      'netlify dev',
      'wrangler deploy --dry-run',
      'fly logs',
      'heroku run rails console',
      'stripe listen',
      'eas build --local',
    ],
  },
  {
    id: 'cloud/provider',
    program: providers,
    when: call => providerVerbs.test(said(call)) && !/\b(kubeconfig|auth|config|login|plugin)\b/.test(said(call)),
    severity: 'high',
    reason: 'makes, changes or deletes machines or services at a provider',
    match: [
      'doctl compute droplet delete 1 -f',
      'hcloud server delete x',
      'aliyun ecs DeleteInstance --InstanceId i',
      'oci compute instance terminate --instance-id o',
      'openstack server delete vm',
    ],
    notMatch: [
      'doctl compute droplet list',
      'hcloud server describe x',
      'openstack server show vm',
      'doctl kubernetes cluster kubeconfig save c',
    ],
  },
]

/** Pushing to these is deploying. */
export const pushRules: readonly Rule[] = [
  {
    id: 'cloud/git-deploy',
    program: 'git',
    sub: 'push',
    operand: ({ value }) =>
      /^(heroku|dokku|piku|caprover|azure|scalingo|clever|gigalixir|prod|production|live)$/.test(value),
    severity: 'medium',
    reason: 'deploys: the remote builds and starts what is pushed to it',
    match: ['git push heroku main', 'git push dokku main:master'],
    notMatch: ['git push origin feature', 'git fetch heroku'],
  },
]

const app = '-a --app -r --remote --confirm'
const fly: Grammar = { values: list('-a --app -c --config -o --org -t --access-token') }
export const hostGrammar: Readonly<Record<string, Grammar>> = {
  heroku: { values: list(`${app} -c --command -s --size`), ends: { run: 2 } },
  fly,
  flyctl: fly,
  vercel: { values: list('-t --token -S --scope -A --local-config -b --build-env -e --env --cwd -m --meta') },
  netlify: { values: list('--site -s --dir -d --auth --filter -m --message --alias') },
  wrangler: { values: list('-c --config -e --env --command --file --binding --namespace-id --outdir --name') },
  firebase: { values: list('-P --project --token --only --except --config -m') },
  railway: { values: list('-s --service -e --environment -p --project'), ends: { run: 1 } },
  eas: { values: list('-p --platform --profile -e --message') },
  stripe: { values: list('--api-key --project-name --forward-to -d -e --events --name --charge') },
  cf: { values: list('-f -p -i -m -b -s') },
  kamal: { values: list('-d --destination -c --config-file -r --roles -h --hosts') },
  doctl: { values: list('-t --access-token -c --config --context -o --output') },
  oci: { values: list('--profile --config-file -c --compartment-id --instance-id --bucket-name') },
  'linode-cli': {},
}
