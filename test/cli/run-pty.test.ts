import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createRunSandbox } from './run-sandbox.ts'
import { type Sandbox, until } from './sandbox.ts'
import { terminal } from './tmux.ts'

function agent(sandbox: Sandbox, script: string): string[] {
  const file = join(sandbox.cwd, 'agent.py')
  writeFileSync(file, `import os, signal, sys, time\ndef say(text): print(text, flush=True)\n${script}`)
  return ['python3', file]
}

const question = String.raw`say("[USER_QUESTION]\ncategory: clarification\nquestion: What?\n[/USER_QUESTION]")`

describe.skipIf(process.platform === 'win32')('beckon run --pty', () => {
  it('gives long answers to an agent that needs a terminal, without echoing them', async () => {
    const sandbox = await createRunSandbox()
    const script = `
say([os.isatty(n) for n in range(3)])
${question}
say(len(sys.stdin.readline()))
sys.exit(7)
`
    const running = sandbox.start(['run', '--pty', '--', ...agent(sandbox, script)])
    const { id } = await sandbox.pending()
    await sandbox.hub.answer(id, { value: 'x'.repeat(50_000) })
    const { code, stdout } = await running.result
    expect(code).toBe(7)
    expect(stdout).toContain('[True, True, True]\r\n')
    expect(stdout).toContain('50001\r\n')
    expect(stdout).not.toContain('xx')
    expect((await sandbox.hub.get(id)).deliveredAt).not.toBeNull()
  })

  it('passes on the window size, its changes, and the keys', async () => {
    const sandbox = await createRunSandbox()
    const script = `
def changed(*_): say(tuple(os.get_terminal_size()))
def broken(*_):
    say("Ctrl-C")
    sys.exit(3)
signal.signal(signal.SIGWINCH, changed)
signal.signal(signal.SIGINT, broken)
changed()
say(repr(os.read(0, 1)))
while True: time.sleep(0.05)
`
    const screen = terminal(sandbox, ['run', '--pty', '--', ...agent(sandbox, script)], {}, { columns: 90, rows: 30 })
    const prints = (text: string) => until(() => printed(sandbox).includes(text), text)
    await prints('(90, 30)')
    screen.resize(70, 20)
    await prints('(70, 20)')
    screen.write('k')
    await prints("b'k'")
    screen.press('C-c')
    expect(await screen.end()).toMatchObject({ code: 3, stdout: expect.stringContaining('Ctrl-C\r\n') })
  })

  it('asks in the terminal, and gives the keys back to the agent afterwards', async () => {
    const sandbox = await createRunSandbox()
    const script = `
${question}
say("heard " + sys.stdin.readline())
say("key " + repr(os.read(0, 1)))
`
    const screen = terminal(sandbox, ['run', '--pty', '--', ...agent(sandbox, script)])
    await screen.shows('leave open')
    screen.type('this')
    await until(() => printed(sandbox).includes('heard this'), 'the answer')
    screen.write('k')
    expect(await screen.end()).toMatchObject({ code: 0, stdout: expect.stringContaining("key b'k'") })
  })

  it('can be stopped with Ctrl-C while the agent waits', async () => {
    const sandbox = await createRunSandbox()
    const screen = terminal(sandbox, ['run', '--pty', '--', ...agent(sandbox, `${question}\nsys.stdin.readline()`)])
    await screen.shows('leave open')
    screen.press('C-c')
    await screen.shows('stays open')
    screen.press('C-c')
    expect((await screen.end()).code).not.toBe(0)
    expect(await sandbox.hub.runs.list()).toMatchObject([{ status: 'stopped' }])
  })
})

/** The stdout of the command so far, which the terminal helper writes to a file. */
function printed({ cwd }: Sandbox): string {
  const file = readdirSync(cwd).find(name => /^out-\d+$/.test(name))
  return file === undefined ? '' : readFileSync(join(cwd, file), 'utf8')
}
