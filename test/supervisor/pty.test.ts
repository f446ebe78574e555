import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { createFrameReader, type Exit, readSize, writeSize } from '../../src/supervisor/holder/frames.ts'
import { startAgent } from '../../src/supervisor/holder/start-agent.ts'
import { hold as holdAny, until } from './test-holder.ts'

const pty = { columns: 100, rows: 30 }

const countLine = 'read -r line; echo "got $(printf %s "$line" | wc -c)"'

function hold(script: string, more: Parameters<typeof holdAny>[1] = {}) {
  return holdAny(script, { pty, ...more })
}

function python(script: string) {
  return { command: ['python3', '-c', `import os, sys, time\n${script}`] }
}

describe.skipIf(process.platform === 'win32')('an agent on a pseudo-terminal', () => {
  it('has a terminal of the given size on all three streams, and leads its session', async () => {
    const { attach } = hold(
      '',
      python(
        'print([os.isatty(n) for n in range(3)], tuple(os.get_terminal_size()), os.getsid(0) == os.getpid(), os.tcgetpgrp(0) == os.getpgrp())',
      ),
    )
    const { link, exited, text } = await attach()
    link.from(0)
    expect(await exited).toEqual({ code: 0, signal: null, error: null })
    expect(text()).toBe('[True, True, True] (100, 30) True True\r\n')
  })

  it('prints both streams as one, with colours, and nothing else', async () => {
    const { attach } = hold(String.raw`printf '\033[31mred\033[0m \360\237\230\200'; printf 'err\n' >&2`)
    const { link, exited, text } = await attach()
    link.from(0)
    await exited
    expect([text('out'), text('err')]).toEqual(['\x1b[31mred\x1b[0m \u{1f600}err\r\n', ''])
  })

  it('gets an answer that is not echoed', async () => {
    const { attach } = hold(`echo ready; ${countLine}; read -r rest`)
    const { link, sees, text } = await attach()
    link.from(0)
    await sees('ready')
    expect(await link.input('r1', Buffer.from('the answer\n'))).toBeNull()
    await sees('got 10')
    expect(text()).not.toContain('the answer')
  })

  it('gets a complete line of 100 kB while it prints as much', async () => {
    const script = `
print("ready", flush=True)
for i in range(2000): print("x" * 60)
line = sys.stdin.readline()
print("got", len(line), hash(line) == hash("ab" * 50000 + "\\n"), flush=True)
`
    const { attach } = hold('', python(script))
    const { link, exited, sees, text } = await attach()
    link.from(0)
    await sees('ready')
    expect(await link.input('r1', Buffer.from(`${'ab'.repeat(50_000)}\n`))).toBeNull()
    expect(await exited).toMatchObject({ code: 0 })
    expect(text()).toContain('got 100001 True')
    expect(text().match(/x{60}\r\n/g)).toHaveLength(2_000)
  })

  it('does not block its holder while it is stopped and reads nothing', async () => {
    const { attach } = hold(`echo ready; ${countLine}`)
    const { link, sees, exited } = await attach()
    link.from(0)
    await sees('ready')
    process.kill(link.hello.pid ?? 0, 'SIGSTOP')
    const written = link.input('r1', Buffer.from(`${'x'.repeat(60_000)}\n`))
    expect((await attach()).link.hello.written).toEqual(['r1'])
    process.kill(link.hello.pid ?? 0, 'SIGCONT')
    await sees('got 60000')
    expect([await written, await exited]).toEqual([null, { code: 0, signal: null, error: null }])
  })

  it.each([
    ['exit 7', { code: 7, signal: null, error: null }],
    ['kill -TERM $$', { code: null, signal: 'SIGTERM', error: null }],
    ['kill -KILL $$', { code: null, signal: 'SIGKILL', error: null }],
  ])('reports how it ended: %s', async (script, end) => {
    const { folder, attach } = hold(script)
    const { link, exited } = await attach()
    link.from(0)
    expect(await exited).toEqual(end)
    expect(JSON.parse(readFileSync(`${folder}/exit.json`, 'utf8'))).toMatchObject(end)
  })

  it('reports why it could not be started', async () => {
    const plainFile = join(import.meta.dirname, 'pty.test.ts')
    for (const [file, reason] of [
      ['no-such-command-of-anybody', 'There is no command no-such-command-of-anybody'],
      [plainFile, 'pty.test.ts is not executable'],
    ] as const) {
      const { attach } = hold('', { command: [file] })
      const { link, exited } = await attach()
      link.from(0)
      expect((await exited).error).toContain(reason)
    }
  })

  it('waits if nobody reads its output, and loses none of it, even after its end', async () => {
    const { folder, attach } = hold(
      'for i in $(seq 1 30000); do echo "line $i of a long output that fills everything"; done',
    )
    const first = await attach()
    first.link.close()
    const second = await attach()
    second.link.from(0)
    for (let taken = 0; !existsSync(`${folder}/exit.json`); await sleep(5)) {
      const last = second.outputs.at(-1)
      const end = last ? last.offset + last.bytes.length : 0
      // Lag behind by most of the holder's buffer.
      taken += end - taken > 900_000 ? 200_000 : Math.ceil((end - taken) / 4)
      second.link.taken(taken)
    }
    await second.exited
    const lines = second.text().trimEnd().split('\r\n')
    expect(lines).toHaveLength(30_000)
    expect(lines.at(-1)).toBe('line 30000 of a long output that fills everything')
  })

  it('keeps environment variables with unusual names', async () => {
    process.env['odd-name.x'] = 'here'
    const { attach } = hold(
      '',
      python('print(os.environ.get("odd-name.x"), "COLUMNS" in os.environ, os.environ["TERM"] != "")'),
    )
    delete process.env['odd-name.x']
    const { link, exited, text } = await attach()
    link.from(0)
    await exited
    expect(text()).toBe('here False True\r\n')
  })

  it('reads to the end when its input is closed', async () => {
    const { attach } = hold('', python('print("ready", flush=True); print(repr(sys.stdin.read()))'))
    const { link, exited, sees, text } = await attach()
    link.from(0)
    await sees('ready')
    await link.input('r1', Buffer.from('one\ntwo\n'))
    link.endInput()
    expect(await exited).toMatchObject({ code: 0 })
    expect(text()).toContain(String.raw`'one\ntwo\n\n'`)
  })

  it('has no input with stdin none', async () => {
    const { attach } = hold('', { stdin: 'none', ...python('print(repr(sys.stdin.read()), os.isatty(1))') })
    const { link, exited, text } = await attach()
    link.from(0)
    await exited
    expect(text()).toBe("'' True\r\n")
  })

  it('gets SIGHUP when its holder dies', async () => {
    const { pid = 0, attach } = hold('trap "echo hup >hup; exit" HUP; echo ready; while true; do sleep 0.05; done')
    const { link, sees } = await attach()
    link.from(0)
    await sees('ready')
    const agent = link.hello.pid ?? 0
    process.kill(pid, 'SIGKILL')
    await until(() => !existsSync(`/proc/${agent}`) || readFileSync(`/proc/${agent}/stat`, 'utf8').includes(') Z '))
  })

  it('gets changes of its window size', async () => {
    let printed = ''
    const onOutput = (_: string, bytes: Buffer) => {
      printed += bytes
    }
    const exited = Promise.withResolvers<Exit>()
    const script = `
import signal
def changed(*_): print("now", tuple(os.get_terminal_size()), flush=True)
signal.signal(signal.SIGWINCH, changed)
print("ready", flush=True)
sys.stdin.readline()
`
    const agent = startAgent(
      { ...python(script), cwd: '/', socket: '', stdin: 'pipe', pty },
      { onOutput, onExit: exited.resolve },
    )
    await until(() => printed.includes('ready'))
    agent.resize({ columns: 61, rows: 17 })
    await until(() => printed.includes('now (61, 17)'))
    agent.write(Buffer.from('\n'), () => {})
    expect(await exited.promise).toEqual({ code: 0, signal: null, error: null })
  })

  it('gets its window size unchanged through a frame', () => {
    const [frame] = createFrameReader()(writeSize({ columns: 300, rows: 17 }))
    expect(frame?.kind === 'resize' && readSize(frame.body)).toEqual({ columns: 300, rows: 17 })
  })
})
