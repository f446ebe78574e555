import { execFileSync, type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, chmodSync, chownSync, copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { createCanary, filesBelow } from '../canary/canary.ts'
import { temporaryFolder } from '../setup/databases.ts'
import { mayMount } from '../setup/small-disk.ts'
import { until } from './sandbox.ts'

// The real sudo asks nobody for a password when root calls it. So the test makes a user: in a mount namespace of its own,
// where /etc/passwd, /etc/shadow and /etc/sudoers are copies, and where that user can read the package.

const user = 4_999
const why = !mayMount() ? 'needs root and mount(8)' : programs().length > 0 ? `needs ${programs().join(', ')}` : false

it('sudo -A true completes in an unattended agent', { timeout: 60_000 }, async context => {
  if (why) return context.skip(why)
  const canary = createCanary(core => `${core} / "quoted" `)
  const machine = await machineWithSudo(canary.value)
  const agent = machine.start(['sudo', '-A', 'id', '-u'], { CLAUDECODE: '1', CLAUDE_CODE_SESSION_ID: '3f2a-sudo' })
  const request = await until(async () => {
    const { stdout, stderr } = await machine.beckon(['list', '--json'])
    expect(stderr).toBe('')
    return JSON.parse(stdout).requests[0]
  }, 'the request')
  expect(request).toMatchObject({
    type: 'password',
    name: '[sudo] password for joe',
    description: expect.stringMatching(/^Asked by sudo \(process \d+[^)]*\)\.$/),
    agent: { name: 'claude-code', cwd: '/mnt/shop' },
    session: '3f2a-sudo',
  })
  const given = await machine.beckon(['answer', request.id, '--from', '-'], `${canary.value}\n`)
  expect(given.code).toBe(0)
  expect(await agent.result).toEqual({ code: 0, stdout: '0\n', stderr: '' })
  const looks = [
    given,
    await machine.beckon(['show', request.id, '--json']),
    await machine.beckon(['events', '--json']),
  ]
  const stored = filesBelow(machine.home).map(({ bytes }) => bytes)
  expect([JSON.stringify(looks), ...stored].flatMap(text => canary.findIn(text))).toEqual([])

  const refused = machine.start(['sudo', '-kA', 'true'], { CLAUDECODE: '1' })
  const second = await until(async () => {
    const { requests } = JSON.parse((await machine.beckon(['list', '--json'])).stdout)
    return requests[0]?.id as string | undefined
  }, 'the second request')
  await machine.beckon(['decline', second, '--reason', 'not today'])
  const { code, stderr } = await refused.result
  expect(code).toBe(1)
  expect(stderr).toContain('not today')
})

function programs(): string[] {
  return ['sudo', 'unshare', 'nsenter', 'setpriv', 'openssl'].filter(name => {
    try {
      execFileSync('sh', ['-c', `command -v ${name}`], { stdio: 'ignore' })
      return false
    } catch {
      return true
    }
  })
}

/** A machine where joe may use sudo with this password, and everything runs as joe. */
async function machineWithSudo(password: string) {
  const folder = temporaryFolder()
  const home = join(folder, 'home')
  for (const name of [home, join(folder, 'shop')]) {
    mkdirSync(name, { mode: 0o700 })
    chownSync(name, user, user)
  }
  for (const name of ['passwd', 'shadow']) copyFileSync(join('/etc', name), join(folder, name))
  const hash = execFileSync('openssl', ['passwd', '-6', '-stdin'], { input: password, encoding: 'utf8' }).trim()
  appendFileSync(join(folder, 'passwd'), `joe:x:${user}:${user}::/mnt/home:/bin/sh\n`)
  appendFileSync(join(folder, 'shadow'), `joe:${hash}:19000:0:99999:7:::\n`)
  writeFileSync(join(folder, 'sudoers'), 'Defaults !fqdn\njoe ALL=(ALL) ALL\n')
  chmodSync(join(folder, 'sudoers'), 0o440)
  const namespace = spawn(
    'unshare',
    ['--mount', 'sh', '-ec', mounts, 'sh', folder, join(import.meta.dirname, '../..')],
    {
      stdio: ['pipe', 'pipe', 'inherit'],
    },
  )
  onTestFinished(() => void namespace.stdin.end())
  await once(namespace.stdout, 'data')
  return { home, start, beckon }

  function start(argv: string[], more: NodeJS.ProcessEnv = {}, input = '') {
    const env = {
      PATH: `/mnt/beckon/node_modules/.bin:/usr/local/bin:/usr/bin:/bin`,
      HOME: '/mnt/home',
      BECKON_HOME: '/mnt/home/beckon',
      SUDO_ASKPASS: '/mnt/beckon/bin/beckon-askpass.js',
      ...more,
    }
    const entering = ['--mount', '--target', `${namespace.pid}`]
    const asJoe = ['setpriv', '--reuid', `${user}`, '--regid', `${user}`, '--clear-groups']
    const inShop = ['sh', '-c', 'cd /mnt/shop && exec "$@"', 'sh']
    const options: SpawnOptions = { env, stdio: ['pipe', 'pipe', 'pipe'] }
    const child = spawn('nsenter', [...entering, ...asJoe, ...inShop, 'setsid', '--wait', ...argv], options)
    const written = { stdout: '', stderr: '' }
    for (const name of ['stdout', 'stderr'] as const) {
      child[name]?.setEncoding('utf8').on('data', chunk => {
        written[name] += chunk
      })
    }
    child.stdin?.on('error', () => {}).end(input)
    return { result: once(child, 'close').then(([code]) => ({ code, ...written })) }
  }

  function beckon(args: string[], input?: string) {
    return start(['node', '/mnt/beckon/bin/beckon.js', ...args], {}, input).result
  }
}

// Ends with its stdin. Parts of the package are mounted one by one: the folder of the package may be for root alone.
const mounts = `
mount -t tmpfs -o mode=755 tmpfs /mnt
mkdir -p /mnt/beckon/bin /mnt/beckon/dist /mnt/beckon/node_modules /mnt/home /mnt/shop /run/sudo
cp "$2/package.json" /mnt/beckon/
for name in bin dist node_modules; do mount --bind "$2/$name" "/mnt/beckon/$name"; done
for name in home shop; do mount --bind "$1/$name" "/mnt/$name"; done
for name in passwd shadow sudoers; do mount --bind "$1/$name" "/etc/$name"; done
mount -t tmpfs -o mode=711 tmpfs /run/sudo
echo ready
cat`
