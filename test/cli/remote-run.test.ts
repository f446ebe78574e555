import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { endAll, processesOf } from '../../src/supervisor/processes/processes.ts'
import { createRunSandbox } from './run-sandbox.ts'
import { type Running, type Sandbox, until } from './sandbox.ts'

const question = String.raw`printf '[USER_QUESTION]\ncategory: clarification\nquestion: Go?\n[/USER_QUESTION]\n'`

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** The recovery process would try forever to reach a server that is gone. */
function endRecovery(home: string) {
  const lock = join(home, 'recovery.lock')
  if (!existsSync(lock)) return
  try {
    process.kill(JSON.parse(readFileSync(lock, 'utf8')).pid, 'SIGKILL')
  } catch {
    // It has already ended.
  }
}

/** A server with its own home, and a runner that has only the server's address and a token. */
async function serverAndRunner(scope = 'run') {
  const sandbox = await createRunSandbox()
  const first = await serve(sandbox, '0')
  const { port } = new URL(first.url)
  const { stdout: token } = await sandbox.run(['token', 'create', '--scope', scope, '--name', 'runner'])
  const env = { BECKON_URL: first.url, BECKON_TOKEN: token.trim(), BECKON_HOME: join(sandbox.root, 'runner') }
  sandbox.atEnd(async () => {
    for (const { id } of await sandbox.hub.runs.list()) await endAll(id, { grace: 100 })
    endRecovery(env.BECKON_HOME)
  })
  const reader = (await sandbox.run(['token', 'create', '--scope', 'answer', '--name', 'reader'])).stdout.trim()
  return {
    sandbox,
    env,
    url: first.url,
    server: first.server,
    serveAgain: () => serve(sandbox, port),
    start: (args: string[]) => sandbox.start(args, { env }),
    run: (args: string[]) => sandbox.run(args, { env }),
    /** Reads the log as the page does. */
    log: async (run: string) => {
      const read = async (after: string) =>
        (await fetch(`${first.url}/api/runs/${run}/log?limit=1000000&after=${after}`, {
          headers: { authorization: `Bearer ${reader}` },
        }).then(response => response.json())) as {
          pieces: { stream: string; text: string }[]
          next: string
          missing: number
          final: boolean
        }
      let text = ''
      for (let after = '0'; ; ) {
        const page = await read(after)
        text += page.pieces.map(piece => (piece.stream === 'out' ? piece.text : '')).join('')
        if (page.final || page.pieces.length === 0) return { text, final: page.final, missing: page.missing }
        after = page.next
      }
    },
  }
}

async function serve(sandbox: Sandbox, port: string) {
  const server = sandbox.start(['serve', '--port', port, '--no-link'])
  const url = await until(() => /^(https?:\S+)$/m.exec(server.written().stdout)?.[1], 'the address')
  return { server, url }
}

function script(sandbox: Sandbox, text: string, name = 'agent.sh'): string[] {
  writeFileSync(join(sandbox.cwd, name), `#!/bin/bash\n${text}\n`, { mode: 0o755 })
  return ['bash', join(sandbox.cwd, name)]
}

function text(sandbox: Sandbox, name: string): string {
  const file = join(sandbox.cwd, name)
  return existsSync(file) ? readFileSync(file, 'utf8') : ''
}

function firstRun(sandbox: Sandbox) {
  return until(async () => (await sandbox.hub.runs.list())[0], 'a run')
}

function runWithStatus(sandbox: Sandbox, status: string, timeout?: number) {
  return until(
    async () => (await sandbox.hub.runs.list()).find(run => run.status === status),
    `a run that is ${status}`,
    timeout,
  )
}

async function kill({ child, result }: Running) {
  child.kill('SIGKILL')
  await result
}

/** Prints numbered lines, so that missing or duplicate ones are visible. */
function printLines(count: number, every = ':'): string {
  return `for ((i = 0; i < ${count}; i++)); do echo "line $i"; ${every}; done`
}

function lines(count: number): string {
  return Array.from({ length: count }, (_, i) => `line ${i}\n`).join('')
}

describe('a run on another machine than its hub', () => {
  it('is shown with its log and answered on the server, but not by its own agent', async () => {
    const { sandbox, start, log, env } = await serverAndRunner()
    const agent = script(
      sandbox,
      `echo begun; ${question}; read -r x; echo "got $x"; echo "$BECKON_TOKEN" >token; beckon ask "Sure?" >sure; env | grep BECKON_ >env`,
    )
    const running = start(['run', '--', ...agent])
    const first = await sandbox.pending()
    const { id, status, waiting } = await firstRun(sandbox)
    expect({ status, waiting }).toEqual({ status: 'running', waiting: ['waiting_question'] })
    await until(async () => (await log(id)).text.startsWith('begun\n'), 'its log')
    await sandbox.hub.answer(first.id, { value: 'yes' })
    await until(async () => (await log(id)).text.includes('got yes\n'), 'the rest of its log')
    const second = await until(async () => (await sandbox.hub.list()).requests[0], 'the question of its command')
    expect(second).toMatchObject({ run: id })
    const own = { env: { ...env, BECKON_TOKEN: text(sandbox, 'token').trim() } }
    expect((await sandbox.run(['answer', second.id, 'self'], own)).code).toBe(5)
    await sandbox.hub.answer(second.id, { value: 'sure' })
    expect((await running.result).code).toBe(0)
    expect(text(sandbox, 'sure')).toBe('sure\n')
    expect(text(sandbox, 'env')).toContain('BECKON_TOKEN=beckon_ask_')
    const end = await log(id)
    expect(end.text).toContain('begun\n[USER_QUESTION]')
    expect(end.text.endsWith('got yes\n')).toBe(true)
    expect(end).toMatchObject({ final: true, missing: 0 })
    const { stderr } = await sandbox.run(['runs', 'logs', id])
    expect(stderr.match(/^beckon: \[USER_ANSWER\] yes$/gm)).toHaveLength(1)
    expect(await sandbox.hub.runs.get(id)).toMatchObject({ status: 'completed', exitCode: 0 })
    expect(existsSync(join(sandbox.home, 'runs', id))).toBe(false)
  })

  it('pauses, resumes and stops when its status changes on the server', async () => {
    const { sandbox, start } = await serverAndRunner()
    const running = start(['run', '--', ...script(sandbox, 'echo $$ >pid; while :; do sleep 0.05; done')])
    const pid = await until(() => text(sandbox, 'pid').trim(), 'its first step')
    const { id } = await firstRun(sandbox)
    const isStopped = () => readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1]?.[0] === 'T'
    for (const _ of ['at once', 'again']) {
      await sandbox.hub.runs.change(id, { status: 'paused' })
      await until(isStopped, 'its pause')
      await sandbox.hub.runs.change(id, { status: 'running' })
      await until(() => !isStopped(), 'its continuation')
    }
    await sandbox.hub.runs.change(id, { status: 'stopped' })
    expect((await running.result).code).not.toBe(0)
    expect(processesOf(id)).toEqual([])
    const reasons = (await sandbox.hub.checkpoints.list(id)).map(({ reason }) => reason)
    expect(reasons).toEqual(expect.arrayContaining(['start', 'pause']))
  })

  it('loses and repeats nothing of its log when its supervisor is killed', async () => {
    const { sandbox, start, run, log } = await serverAndRunner()
    const running = start(['run', '--', ...script(sandbox, `${printLines(300, 'sleep 0.01')}; echo done >over`)])
    const { id } = await firstRun(sandbox)
    await until(async () => (await log(id)).text.includes('line 50\n'), 'some of its log')
    await kill(running)
    expect((await run(['run', '--recover'])).code).toBe(0)
    expect(text(sandbox, 'over')).toBe('done\n')
    expect(await log(id)).toEqual({ text: lines(300), final: true, missing: 0 })
    expect(await sandbox.hub.runs.get(id)).toMatchObject({ status: 'completed' })
  })

  it('does not wait for a server that was killed, and sends the rest of its log when it is back', async () => {
    const { sandbox, start, log, server, serveAgain } = await serverAndRunner()
    const running = start([
      'run',
      '--',
      ...script(sandbox, `${printLines(200, 'sleep 0.01')}; echo done >over; sleep 0.5`),
    ])
    const { id } = await firstRun(sandbox)
    await until(async () => (await log(id)).text.includes('line 20\n'), 'some of its log')
    await kill(server)
    await until(() => text(sandbox, 'over') === 'done\n', 'its last step, without a server')
    await serveAgain()
    expect((await running.result).code).toBe(0)
    expect(await log(id)).toEqual({ text: lines(200), final: true, missing: 0 })
    expect(await sandbox.hub.runs.get(id)).toMatchObject({ status: 'completed' })
  })

  it('stops although it was stopped while the server was down', async () => {
    const { sandbox, start, server, serveAgain } = await serverAndRunner()
    const running = start(['run', '--', ...script(sandbox, 'echo begun >now; sleep 600')])
    await until(() => text(sandbox, 'now'), 'its first step')
    const { id } = await firstRun(sandbox)
    await kill(server)
    await sandbox.hub.runs.change(id, { status: 'stopped' })
    await serveAgain()
    expect((await running.result).code).toBe(143)
    expect(processesOf(id)).toEqual([])
  })

  it('sleeps, and wakes on its own machine when its question is answered elsewhere', async () => {
    const { sandbox, run, log } = await serverAndRunner()
    const agent = script(sandbox, `echo start; x=$(beckon ask "Go?"); echo "got $x"; echo "$x" >got`)
    const slept = await run(['run', '--sleep-after', '1ms', '--', ...agent])
    expect(slept.code).toBe(75)
    const { id } = await runWithStatus(sandbox, 'asleep')
    expect((await log(id)).text).toBe('start\n')
    await sandbox.hub.answer((await sandbox.pending()).id, { value: 'later' })
    await runWithStatus(sandbox, 'completed', 30_000)
    expect(text(sandbox, 'got')).toBe('later\n')
    expect((await log(id)).text).toBe('start\nstart\ngot later\n')
  }, 60_000)

  it('is woken by any later command on its machine if the recovery process was killed', async () => {
    const { sandbox, run, env } = await serverAndRunner()
    const agent = script(sandbox, `x=$(beckon ask "Go?"); echo "$x" >got`)
    expect((await run(['run', '--sleep-after', '1ms', '--', ...agent])).code).toBe(75)
    const lock = join(env.BECKON_HOME, 'recovery.lock')
    const recovery = await until(
      () => existsSync(lock) && JSON.parse(readFileSync(lock, 'utf8')).pid,
      'the recovery process',
    )
    process.kill(recovery, 'SIGKILL')
    await sandbox.hub.answer((await sandbox.pending()).id, { value: 'later' })
    expect((await run(['runs'])).code).toBe(0)
    await runWithStatus(sandbox, 'completed', 30_000)
    expect(text(sandbox, 'got')).toBe('later\n')
  }, 60_000)

  it('has no recovery process any more when its home and the server are gone', async () => {
    const { sandbox, env, server, run } = await serverAndRunner()
    const agent = script(sandbox, 'beckon ask "Go?" --option yes')
    expect((await run(['run', '--sleep-after', '1ms', '--', ...agent])).code).toBe(75)
    const lock = join(env.BECKON_HOME, 'recovery.lock')
    const recovery = await until(
      () => existsSync(lock) && JSON.parse(readFileSync(lock, 'utf8')).pid,
      'the recovery process',
    )
    server.child.kill('SIGKILL')
    rmSync(env.BECKON_HOME, { recursive: true, force: true })
    await until(() => !isAlive(recovery), 'the end of the recovery process', 25_000)
  }, 60_000)

  it('gives a secret to its command, and sends it redacted', async () => {
    const { sandbox, start, log } = await serverAndRunner()
    const agent = script(
      sandbox,
      `beckon need api_key MYKEY --description d -- sh -c 'echo "key $MYKEY"; echo "$MYKEY" >key'`,
    )
    const running = start(['run', '--', ...agent])
    await sandbox.hub.answer((await sandbox.pending()).id, { value: 'canary-30303-canary' })
    expect((await running.result).code).toBe(0)
    expect(text(sandbox, 'key')).toBe('canary-30303-canary\n')
    expect((await log((await firstRun(sandbox)).id)).text).toBe('key [redacted]\n')
  })

  it('can be read with beckon runs logs on any machine', async () => {
    const { sandbox, run } = await serverAndRunner()
    expect((await run(['run', '--', ...script(sandbox, `${printLines(20)}; echo bad >&2`)])).code).toBe(0)
    const { id } = await firstRun(sandbox)
    const third = {
      env: { BECKON_HOME: join(sandbox.root, 'third'), BECKON_URL: '', BECKON_DB: join(sandbox.home, 'beckon.db') },
    }
    mkdirSync(join(sandbox.root, 'third'))
    expect(await sandbox.run(['runs', 'logs', id], third)).toMatchObject({
      code: 0,
      stdout: lines(20),
      stderr: 'bad\n',
    })
    expect((await sandbox.run(['runs', 'logs', id, '-n', '2'], third)).stdout).toBe('line 19\n')
    const none = await sandbox.hub.runs.start({ command: ['x'], cwd: '/', host: 'far-away' })
    const missing = await sandbox.run(['runs', 'logs', none.id], third)
    expect(missing).toMatchObject({ code: 5, stderr: expect.stringContaining('is on far-away') })
  })

  it('sends the last part of a flood of output', async () => {
    const { sandbox, run, log } = await serverAndRunner()
    const bytes = 40_000_000
    expect((await run(['run', '--', 'bash', '-c', `yes 0123456 | head -c ${bytes}`])).code).toBe(0)
    const { text: kept, final } = await log((await firstRun(sandbox)).id)
    expect(final).toBe(true)
    expect(kept.length).toBeGreaterThan(12_000_000)
    expect(kept.length).toBeLessThan(18_000_000)
    expect(kept.endsWith('0123456\n')).toBe(true)
  }, 120_000)
})
