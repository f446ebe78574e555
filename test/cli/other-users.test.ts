import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openHub } from '../../src/index.ts'
import {
  createFrameReader,
  type Frame,
  type Hello,
  readInput,
  writeInput,
  writeJson,
} from '../../src/supervisor/holder/frames.ts'
import { question, questions } from './questionnaire.ts'
import { createRunSandbox } from './run-sandbox.ts'
import { askUserQuestion, createSandbox, type Sandbox, until } from './sandbox.ts'
import { terminal } from './tmux.ts'

const uid = process.getuid?.() ?? 0
const nobody = 65_534

/** An agent that asks for a key, and says how long the value was. */
const asksForKey = String.raw`
import sys
print("[DEPENDENCY_REQUEST]\ntype: api_key\nname: KEY\ndescription: x\nrequired: true\n[/DEPENDENCY_REQUEST]", flush=True)
for line in sys.stdin:
    if line.startswith("value: "): print("length %d" % len(line[7:].rstrip("\n")), flush=True)
    elif not line.startswith("["): print("heard " + line, flush=True)
    if line.startswith("[/"): break
`

/** Starts a run that asks for a key, and kills its supervisor. */
async function abandonedRun(sandbox: Sandbox, env: Record<string, string> = {}) {
  const running = sandbox.start(['run', '--', 'python3', '-c', asksForKey], { env })
  const { id } = await sandbox.pending()
  await until(() => running.written().stderr.includes(id), 'the announcement')
  running.child.kill('SIGKILL')
  await running.result
  const [run] = await sandbox.hub.runs.list()
  const folder = join(sandbox.env.BECKON_HOME ?? '', 'runs', run?.id ?? '')
  return { id, run: run?.id ?? '', folder, specFile: join(folder, 'spec.json') }
}

/** Listens in the holder's place, and speaks its protocol without the secret. */
async function poseAsHolder(sandbox: Sandbox, socket: string, id: string) {
  const frames: Frame[] = []
  renameSync(socket, `${socket}.moved`)
  const server = createServer(connection => {
    const read = createFrameReader()
    const notes = { requests: { asked: {}, open: [id] } }
    const hello: Hello = { pid: null, holder: process.pid, from: 0, written: [], notes, attended: false }
    connection.write(writeJson('hello', hello))
    connection.on('error', () => {})
    connection.on('data', chunk => {
      for (const frame of read(chunk)) {
        frames.push({ ...frame, body: Buffer.from(frame.body) })
        if (frame.kind === 'from') connection.write(writeJson('attending', true))
        if (frame.kind === 'dismiss') connection.end()
        if (frame.kind !== 'input') continue
        connection.write(writeJson('written', { id: readInput(frame.body).id, error: null }))
        connection.write(writeJson('exit', { code: 0, signal: null, error: null }))
      }
    })
  })
  await new Promise<void>(resolve => server.listen(socket, resolve))
  sandbox.atEnd(() => server.close())
  return { frames, got: () => Buffer.concat(frames.map(({ body }) => body)).toString() }
}

function makeFolder(path: string, mode: number, owner = uid): void {
  mkdirSync(path)
  chmodSync(path, mode)
  if (owner !== uid) chownSync(path, owner, owner)
}

describe('another user of the machine', () => {
  it('gets no secret by posing as the holder of a run', async () => {
    const sandbox = await createRunSandbox()
    const { id, run, folder } = await abandonedRun(sandbox)
    const holder = await poseAsHolder(sandbox, join(folder, 'holder'), id)
    // The answer starts a process that takes the run over.
    await sandbox.hub.answer(id, { value: 'sk-canary-31337' })
    await until(async () => (await sandbox.hub.runs.get(run)).status === 'failed', 'the end of the run')
    expect(holder.frames.map(({ kind }) => kind)).toEqual([])
  }, 30_000)

  it('cannot command a holder, nor learn its state, without the secret of the run', async () => {
    const sandbox = await createRunSandbox()
    const { id, run, folder } = await abandonedRun(sandbox)
    const frames: Frame[] = []
    const read = createFrameReader()
    const intruder: Socket = connect(join(folder, 'holder'))
    sandbox.atEnd(() => intruder.destroy())
    intruder.on('error', () => {})
    intruder.on('data', chunk => frames.push(...read(chunk)))
    intruder.write(Buffer.concat([writeJson('from', 0), writeInput('', Buffer.from('break in\n'))]))
    await until(() => intruder.destroyed || frames.some(({ kind }) => kind === 'attending'), 'the reaction')
    expect(frames.map(({ kind }) => kind)).toEqual(['challenge'])
    await sandbox.hub.answer(id, { value: 'sk-canary-31337' })
    await until(async () => (await sandbox.hub.runs.get(run)).status === 'completed', 'the end of the run')
    const { stdout } = await sandbox.run(['runs', 'logs', run])
    expect(stdout).toContain('length 15')
    expect(stdout).not.toContain('break in')
  }, 30_000)

  it('can plant no folder for the sockets of runs: a link, an open folder and theirs are refused', async () => {
    const sandbox = await createRunSandbox()
    const planted = join(sandbox.root, `beckon-${uid}`)
    const theirs = join(sandbox.root, 'theirs')
    mkdirSync(theirs, { mode: 0o777 })
    const env = { TMPDIR: sandbox.root, XDG_RUNTIME_DIR: '', BECKON_HOME: join(sandbox.root, 'h'.repeat(90)) }
    const plants: [problem: string, plant: () => void][] = [
      ['is a link', () => symlinkSync(theirs, planted)],
      ['is not a folder', () => writeFileSync(planted, '')],
      ['is open to other users', () => makeFolder(planted, 0o755)],
    ]
    // Only root can make a folder of another user.
    if (uid === 0) plants.push(['belongs to another user', () => makeFolder(planted, 0o700, nobody)])
    for (const [problem, plant] of plants) {
      plant()
      const { code, stderr } = await sandbox.run(['run', '--', 'true'], { env })
      expect({ code, stderr }).toEqual({ code: 5, stderr: expect.stringContaining(problem) })
      expect(stderr).toMatch(/^beckon: .*Remove it, or set XDG_RUNTIME_DIR.*\n$/)
      expect(lstatSync(planted).isDirectory() ? readdirSync(planted) : []).toEqual([])
      expect(readdirSync(theirs)).toEqual([])
      renameSync(planted, join(sandbox.root, problem.replaceAll(' ', '-')))
    }
    expect((await sandbox.run(['run', '--', 'true'], { env })).code).toBe(0)
    expect(lstatSync(planted).mode & 0o777).toBe(0o700)
  }, 30_000)

  it('can plant no folder for the lock of a terminal', async () => {
    const sandbox = await createSandbox()
    const theirs = join(sandbox.root, 'theirs')
    mkdirSync(theirs)
    symlinkSync(theirs, join(sandbox.root, `beckon-${uid}`))
    const { shows } = terminal(sandbox, ['ask', 'Ready?'], { TMPDIR: sandbox.root, XDG_RUNTIME_DIR: '' })
    await shows('Ready?')
    expect(readdirSync(theirs)).toEqual([])
  })
})

describe('a run with a long path', () => {
  it('has its socket in XDG_RUNTIME_DIR, and is taken over from there where the variable is not set', async () => {
    const sandbox = await createRunSandbox()
    const runtime = join(sandbox.root, 'r')
    mkdirSync(runtime, { mode: 0o700 })
    sandbox.env.BECKON_HOME = join(sandbox.root, 'h'.repeat(90))
    sandbox.env.BECKON_DB = join(sandbox.home, 'beckon.db')
    sandbox.env.TMPDIR = sandbox.root
    const { id, run, specFile } = await abandonedRun(sandbox, { XDG_RUNTIME_DIR: runtime })
    const { socket, secret } = JSON.parse(readFileSync(specFile, 'utf8'))
    expect(socket).toBe(join(runtime, 'beckon', run))
    expect(secret).toHaveLength(43)
    expect([specFile, dirname(socket)].map(path => lstatSync(path).mode & 0o777)).toEqual([0o600, 0o700])
    const answering = { input: 'sk-canary-31337', env: { XDG_RUNTIME_DIR: undefined } }
    const { code, stderr } = await sandbox.run(['answer', id, '--from', '-'], answering)
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('was taken over') })
    await until(async () => (await sandbox.hub.runs.get(run)).status === 'completed', 'the end of the run')
    expect((await sandbox.run(['runs', 'logs', run])).stdout).toContain('length 15')
  }, 30_000)
})

describe('a run that an earlier version started', () => {
  it('is taken over, though its holder knows no secret', async () => {
    const sandbox = await createRunSandbox()
    const { id, folder, specFile } = await abandonedRun(sandbox)
    const holder = await poseAsHolder(sandbox, join(folder, 'holder'), id)
    const { secret: _, ...spec } = JSON.parse(readFileSync(specFile, 'utf8'))
    writeFileSync(specFile, JSON.stringify(spec))
    await sandbox.hub.answer(id, { value: 'sk-canary-31337' })
    await until(() => holder.got().includes('sk-canary-31337'), 'the answer')
  }, 30_000)
})

describe('a home that other users can write', () => {
  it('is refused in one sentence, whichever command opens it', async () => {
    const { home, run } = await createSandbox()
    chmodSync(home, 0o770)
    const advice = `beckon: BECKON_HOME ${home} can be written by other users, who could replace what is in it; run "chmod go-w ${home}".\n`
    for (const args of [['list'], ['ask', 'One?', '--async'], ['run', '--', 'true'], ['serve', '--port', '0']]) {
      expect(await run(args)).toEqual({ code: 1, stdout: '', stderr: advice })
    }
    const asked = await run(['--async', questions(question())], { launcher: askUserQuestion })
    expect(asked).toMatchObject({ code: 1, stderr: expect.stringContaining(`run "chmod go-w ${home}".`) })
    chmodSync(home, 0o755)
    expect((await run(['list'])).code).toBe(0)
  })

  it('is refused where it is for everybody, with other advice than chmod', async () => {
    const { root, run } = await createSandbox()
    const everybody = join(root, 'everybody')
    makeFolder(everybody, 0o1777)
    const { code, stderr } = await run(['list'], { env: { BECKON_HOME: everybody } })
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(/; use a folder of your own\.\n$/) })
    expect(readdirSync(everybody)).toEqual([])
    expect((await run(['list'], { env: { BECKON_HOME: join(everybody, 'mine') } })).code).toBe(0)
  })

  it('is refused where it belongs to another user, also for root', async () => {
    const { root, start } = await createSandbox()
    // Only root can give a folder away. Any other user meets the folder of a process that maps it to another one.
    const theirs = join(root, 'theirs')
    makeFolder(theirs, 0o755, uid === 0 ? nobody : uid)
    const other = uid === 0 ? [] : ['--import', `data:text/javascript,process.getuid=()=>${uid + 1}`]
    const env = { BECKON_HOME: theirs, ...(other.length > 0 ? { NODE_OPTIONS: other.join('=') } : {}) }
    const { code, stderr } = await start(['list'], { env }).result
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(/another user \(uid \d+\).*your own/) })
  })

  it('is refused for the library, too', async () => {
    const { home } = await createSandbox()
    chmodSync(home, 0o702)
    await expect(openHub({ env: { BECKON_HOME: home } })).rejects.toThrow(
      /BECKON_HOME .* can be written by other users/,
    )
  })

  it('is reported by doctor, as is a folder above it in which anybody could replace it', async () => {
    const { home, root, run } = await createSandbox()
    chmodSync(home, 0o720)
    const shared = await run(['doctor'])
    expect(shared).toMatchObject({ code: 1, stdout: expect.stringMatching(/^BAD +folder .*chmod go-w/m) })
    chmodSync(home, 0o700)
    expect((await run(['doctor'])).code).toBe(0)
    chmodSync(root, 0o777)
    const replaceable = await run(['doctor'])
    expect(replaceable).toMatchObject({ code: 1, stdout: expect.stringMatching(/^BAD +folder .*can be replaced/m) })
    expect((await run(['list'])).code).toBe(0)
  })
})

describe('a database that other users can write', () => {
  it('is refused: its folder, and the file itself', async () => {
    const { root, run } = await createSandbox()
    const folder = join(root, 'elsewhere')
    const file = join(folder, 'hub.db')
    const env = { BECKON_DB: file }
    expect((await run(['list'], { env })).code).toBe(0)
    for (const [path, open, closed] of [
      [folder, 0o777, 0o700],
      [file, 0o660, 0o600],
    ] as const) {
      chmodSync(path, open)
      const { code, stderr } = await run(['list'], { env })
      expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(`; run "chmod go-w ${path}".`) })
      expect((await run(['doctor'], { env })).code).toBe(1)
      chmodSync(path, closed)
    }
    // Under the settings of many systems, every folder can be written by a group that has its owner alone in it.
    chmodSync(folder, 0o775)
    expect((await run(['list'], { env })).code).toBe(0)
  })
})

describe('a cache of compiled code that other users can write', () => {
  it('is not used', async () => {
    const { root, run } = await createSandbox()
    const cache = join(root, 'cache')
    const compiled = join(cache, 'beckon', 'compiled')
    mkdirSync(compiled, { recursive: true, mode: 0o700 })
    const env = { XDG_CACHE_HOME: cache, NODE_COMPILE_CACHE: undefined }
    const call = { env, launcher: askUserQuestion }
    for (const open of [join(cache, 'beckon'), compiled]) {
      chmodSync(open, 0o777)
      expect((await run(['--async', questions(question())], call)).code).toBe(0)
      expect((await run(['list'], { env })).code).toBe(0)
      expect(readdirSync(compiled)).toEqual([])
      chmodSync(open, 0o700)
    }
    expect((await run(['--async', questions(question())], call)).code).toBe(0)
    expect(readdirSync(compiled)).not.toEqual([])
  })
})
