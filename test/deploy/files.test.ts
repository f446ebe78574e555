import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, existsSync, readFileSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { operations } from '../../src/protocol/operations/index.ts'
import { temporaryFolder } from '../setup/databases.ts'
import { freePort } from '../setup/postgres-server.ts'
import { readCompose } from './composed.ts'
import { deploy } from './proxies.ts'

const root = join(import.meta.dirname, '../..')
const instructions = readDockerfile()
const given = (name: string) => instructions.filter(([word]) => word === name).map(([, rest]) => rest)

describe('the Dockerfile', () => {
  it('copies what is there, or what the build makes', () => {
    const copied = given('COPY').flatMap(rest => rest.split(/\s+/).slice(0, -1))
    const paths = copied.filter(word => word.startsWith('/build/')).map(word => word.slice('/build/'.length))
    expect(paths).toEqual(expect.arrayContaining(['package.json', 'node_modules', 'bin', 'plugins', 'dist']))
    expect(paths.filter(path => !existsSync(join(root, path)))).toEqual([])
    // Everything that the package has is in the image, but for what people read or copy.
    const { files } = createRequire(import.meta.url)('../../package.json') as { files: string[] }
    expect(
      files.filter(file => !/^(!|(docs|clients|deploy|examples)$)|\.md$/.test(file) && !paths.includes(file)),
    ).toEqual([])
    const ignored = readFileSync(join(deploy, 'Dockerfile.dockerignore'), 'utf8').split('\n')
    const sent = ignored.filter(line => line.startsWith('!')).map(line => line.slice(1))
    expect(sent.filter(name => !name.includes('*') && !existsSync(join(root, name)))).toEqual([])
  })

  // Its own commands, as its own user, in a mount namespace with a read-only root: as near as one gets without Docker.
  it('starts, is healthy and stops, without root and with a root that is read-only', async () => {
    const [user] = given('USER')
    const data = temporaryFolder()
    const [uid = 0, gid = 0] = (user ?? '').split(':').map(Number)
    expect(uid).toBeGreaterThan(0)
    chownSync(data, uid, gid)
    const port = String(await freePort())
    const [entry] = given('ENTRYPOINT').map(rest => JSON.parse(rest) as string[])
    const [command] = given('CMD').map(rest => JSON.parse(rest) as string[])
    expect(entry).toEqual(['beckon'])
    const script = `mount --bind "$1" "$1" && mount --bind "$2" /mnt && mount -o remount,bind,ro /mnt &&
      mount -o remount,bind,ro / && shift 2 &&
      exec setpriv --reuid ${uid} --regid ${gid} --clear-groups --bounding-set=-all --no-new-privs "$@"`
    const started = [process.execPath.replace(root, '/mnt'), '/mnt/bin/beckon.js', ...(command ?? []), '--port', port]
    const child = spawn('unshare', ['--mount', 'sh', '-c', script, 'sh', data, root, ...started], {
      cwd: '/',
      // No HOME: this machine does not know the user, as where a container is started with another one.
      env: { PATH: process.env.PATH, BECKON_HOME: data },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let said = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', bytes => (said += bytes))
    const ended = once(child, 'exit')
    const [, check = ''] = /CMD (\[.*\])/.exec(given('HEALTHCHECK')[0] ?? '') ?? []
    const [, ...args] = JSON.parse(check) as string[]
    const isHealthy = () => {
      try {
        execFileSync(
          process.execPath,
          args.map(arg => arg.replace('4141', port)),
          { stdio: 'ignore' },
        )
        return true
      } catch {
        return false
      }
    }
    for (let tries = 0; !isHealthy(); tries += 1) {
      if (child.exitCode !== null || tries > 200) throw new Error(`It did not become healthy: ${said}`)
      await sleep(50)
    }
    child.kill('SIGTERM')
    expect(await ended).toEqual([0, null])
    expect(isHealthy()).toBe(false)
    expect(existsSync(join(data, 'beckon.db'))).toBe(true)
  })
})

describe('beckon.service', () => {
  // What it hides of /proc is hidden by the mount options that systemd uses.
  it('starts a server that commands of its user find', async () => {
    const unit = readFileSync(join(deploy, 'beckon.service'), 'utf8')
    const hides = ['ProtectProc=invisible', 'ProcSubset=pid'].filter(line => unit.split('\n').includes(line))
    const options = hides.map(
      line => ({ 'ProtectProc=invisible': 'hidepid=invisible', 'ProcSubset=pid': 'subset=pid' })[line],
    )
    const [data, port] = [temporaryFolder(), String(await freePort())]
    const beckon = [process.execPath, join(root, 'bin/beckon.js')] as const
    const env = { PATH: process.env.PATH, BECKON_HOME: data }
    const script = `mount -t proc -o ${['rw', ...options].join()} proc /proc && exec "$@"`
    const serve = [...beckon, 'serve', '--port', port, '--no-link']
    const child = spawn('unshare', ['--mount', 'sh', '-c', script, 'sh', ...serve], { cwd: '/', env })
    let said = ''
    child.stderr.on('data', bytes => (said += bytes))
    const ended = once(child, 'exit')
    await once(child.stdout, 'data')
    const [program, launcher] = beckon
    const link = execFileSync(program, [launcher, 'token', 'link'], { cwd: '/', env, encoding: 'utf8' })
    child.kill('SIGTERM')
    await ended
    expect([link.split('/#')[0], said]).toEqual([`http://127.0.0.1:${port}`, ''])
  })
})

describe('compose.yaml', () => {
  const { services, volumes, networks } = readCompose({
    BECKON_PUBLIC_URL: 'https://beckon.example.com',
    POSTGRES_PASSWORD: 'secret',
    BECKON_KEY: 'key',
  })
  const nodes = Object.entries(services).filter(([, { image }]) => image === 'beckon')

  it('has two nodes that nothing but the proxy reaches, without rights', () => {
    expect(nodes.map(([name]) => name)).toEqual(['node-1', 'node-2'])
    for (const [, node] of nodes) {
      expect(node).toMatchObject({ read_only: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] })
      expect(node.ports).toBeUndefined()
    }
    const { BECKON_NODES } = services.proxy?.environment ?? {}
    expect(BECKON_NODES).toBe(nodes.map(([name]) => `${name}:4141`).join(' '))
    expect(services.postgres?.ports).toBeUndefined()
  })

  it('trusts the proxy by the network that both are in', () => {
    const [{ subnet } = { subnet: '' }] = networks.default.ipam.config
    for (const [, { command }] of nodes) expect(command).toContain(`--trusted-proxy=${subnet}`)
  })

  it('lets Prometheus call each node by its name', () => {
    for (const [name, { command }] of nodes) expect(command).toContain(`--allow-host=${name}`)
  })

  it('declares its volumes, and mounts files that are there', () => {
    const mounted = Object.values(services).flatMap(({ volumes = [] }) => volumes.map(one => one.split(':')[0] ?? ''))
    const files = mounted.filter(source => source.startsWith('./'))
    expect(files.filter(file => !existsSync(join(deploy, file)))).toEqual([])
    expect(mounted.filter(source => !source.startsWith('./')).toSorted()).toEqual(Object.keys(volumes).toSorted())
  })

  it('asks for what example.env names, and nothing else', () => {
    const wanted = readFileSync(join(deploy, 'compose.yaml'), 'utf8').matchAll(/\$\{(\w+)/g)
    const named = readFileSync(join(deploy, 'example.env'), 'utf8').matchAll(/^(\w+)=/gm)
    expect(new Set([...named].map(([, name]) => name))).toEqual(new Set([...wanted].map(([, name]) => name)))
  })
})

describe('kubernetes.yaml', () => {
  // biome-ignore lint/suspicious/noExplicitAny: a manifest of any kind
  const manifests: any[] = parseAllDocuments(readFileSync(join(deploy, 'kubernetes.yaml'), 'utf8')).map(one =>
    one.toJS(),
  )
  const of = (kind: string) => manifests.find(one => one.kind === kind)
  const { template, selector } = of('Deployment').spec
  const [container] = template.spec.containers

  it('connects ingress, service, budget and pods', () => {
    expect(template.metadata.labels).toEqual(selector.matchLabels)
    expect(of('Service').spec.selector).toEqual(selector.matchLabels)
    expect(of('PodDisruptionBudget').spec.selector).toEqual(selector)
    const [port] = of('Service').spec.ports
    expect(container.ports.map(({ name }: { name: string }) => name)).toContain(port.targetPort)
    const { service } = of('Ingress').spec.rules[0].http.paths[0].backend
    expect([service.name, service.port.name]).toEqual([of('Service').metadata.name, port.name])
    expect(container.args).toContain(`--public-url=https://${of('Ingress').spec.rules[0].host}`)
  })

  it('lets Prometheus call each pod by its address', () => {
    expect(container.args).toContain('--allow-host=$(POD_IP)')
    expect(container.env).toContainEqual({ name: 'POD_IP', valueFrom: { fieldRef: { fieldPath: 'status.podIP' } } })
  })

  it('starts in a volume to which everybody in the pod may write, as Kubernetes makes an emptyDir', () => {
    const volume = temporaryFolder()
    chmodSync(volume, 0o2777)
    const [, usual] = /BECKON_HOME=(\S+)/.exec(given('ENV').join(' ')) ?? []
    const home: string = container.env.find(({ name }: { name: string }) => name === 'BECKON_HOME')?.value ?? usual
    const { mountPath } = container.volumeMounts.find(({ name }: { name: string }) => name === 'data')
    expect(home.startsWith(mountPath)).toBe(true)
    const env = { PATH: process.env.PATH, BECKON_HOME: home.replace(mountPath, volume) }
    const listed = spawnSync(process.execPath, [join(root, 'bin/beckon.js'), 'list'], { env, encoding: 'utf8' })
    expect(listed).toMatchObject({ status: 0 })
  })

  it('runs as the user of the image, on a read-only root, and asks paths that are there', () => {
    const [uid, gid] = (given('USER')[0] ?? '').split(':').map(Number)
    expect(template.spec.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: uid, runAsGroup: gid })
    expect(container.securityContext).toMatchObject({ readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } })
    const probes = [container.livenessProbe, container.readinessProbe, container.startupProbe]
    const open = operations.filter(({ scope }) => scope === null).map(({ path }) => path)
    for (const { httpGet } of probes) expect(open).toContain(httpGet.path)
  })
})

it('every way to start the server gives options that it has', () => {
  const options = execFileSync(process.execPath, [join(root, 'bin/beckon.js'), 'serve', '--help'], { encoding: 'utf8' })
  const known = new Set(options.match(/--[a-z-]+/g))
  for (const file of ['compose.yaml', 'kubernetes.yaml', 'beckon.service', 'Dockerfile', 'Caddyfile', 'nginx.conf']) {
    const text = readFileSync(join(deploy, file), 'utf8')
    const commands = text.match(/\bserve\b.*(\n\s+(- |# )--.*|\n\s+# .*)*/g) ?? []
    const used = commands.flatMap(command => command.replaceAll(/#.*/g, '').match(/(?<![\w-])--[a-z-]+/g) ?? [])
    expect([file, used.filter(option => !known.has(option))]).toEqual([file, []])
  }
})

it('the check says which file has not met its own tool where the tool is not there', () => {
  // Only what every machine has.
  const folder = temporaryFolder()
  for (const name of ['bash', 'dirname', 'timeout'])
    symlinkSync(execFileSync('which', [name], { encoding: 'utf8' }).trim(), join(folder, name))
  const said = execFileSync(join(deploy, 'check'), { env: { PATH: folder }, encoding: 'utf8' })
  const files = ['beckon.service', 'kubernetes.yaml', 'Caddyfile', 'prometheus/beckon.rules.yml', 'Dockerfile']
  const notChecked = [...files, 'compose.yaml'].map(file => expect.stringContaining(`deploy/${file}: NOT CHECKED`))
  expect(said.trim().split('\n')).toEqual(notChecked)
  const required = { PATH: folder, REQUIRED: 'Dockerfile compose.yaml' }
  expect(spawnSync(join(deploy, 'check'), { env: required, encoding: 'utf8' })).toMatchObject({
    status: 1,
    stdout: expect.stringMatching(/Dockerfile: NOT CHECKED.*\n$/),
  })
})

/** One entry for each instruction, with its continued lines. */
function readDockerfile(): [string, string][] {
  const text = readFileSync(join(deploy, 'Dockerfile'), 'utf8').replaceAll(/^\s*#.*\n/gm, '')
  const lines = text
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .filter(Boolean)
  return lines.map(line => [line.split(' ')[0] ?? '', line.slice(line.indexOf(' ') + 1)])
}
