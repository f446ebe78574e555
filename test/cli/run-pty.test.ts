import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runSandbox } from './run-sandbox.ts'
import { type Sandbox, until } from './sandbox.ts'
import { terminal } from './tmux.ts'

function agent(place: Sandbox, script: string): string[] {
  const file = join(place.cwd, 'agent.py')
  writeFileSync(file, `import os, signal, sys, time\ndef say(text): print(text, flush=True)\n${script}`)
  return ['python3', file]
}

const question = String.raw`say("[USER_QUESTION]\ncategory: clarification\nquestion: What?\n[/USER_QUESTION]")`

describe.skipIf(process.platform === 'win32')('beckon run --pty', () => {
  it('answers an agent that insists on a terminal, with long answers, too, and echoes none', async () => {
    const place = await runSandbox()
    const script = `
say([os.isatty(n) for n in range(3)])
${question}
say(len(sys.stdin.readline()))
sys.exit(7)
`
    const running = place.start(['run', '--pty', '--', ...agent(place, script)])
    const { id } = await place.pending()
    await place.hub.answer(id, { value: 'x'.repeat(50_000) })
    const { code, stdout } = await running.result
    expect(code).toBe(7)
    expect(stdout).toContain('[True, True, True]\r\n')
    expect(stdout).toContain('50001\r\n')
    expect(stdout).not.toContain('xx')
    expect((await place.hub.get(id)).deliveredAt).not.toBeNull()
  })

  it('has the size of the window, learns of another, and gets keys as they are', async () => {
    const place = await runSandbox()
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
    const screen = terminal(place, ['run', '--pty', '--', ...agent(place, script)], {}, { columns: 90, rows: 30 })
    const prints = (text: string) => until(() => printed(place).includes(text), text)
    await prints('(90, 30)')
    screen.resize(70, 20)
    await prints('(70, 20)')
    screen.write('k')
    await prints("b'k'")
    screen.press('C-c')
    expect(await screen.end()).toMatchObject({ code: 3, stdout: expect.stringContaining('Ctrl-C\r\n') })
  })

  it('asks right there, and gives the keys back to the agent afterwards', async () => {
    const place = await runSandbox()
    const script = `
${question}
say("heard " + sys.stdin.readline())
say("key " + repr(os.read(0, 1)))
`
    const screen = terminal(place, ['run', '--pty', '--', ...agent(place, script)])
    await screen.shows('leave open')
    screen.type('this')
    await until(() => printed(place).includes('heard this'), 'the answer')
    screen.write('k')
    expect(await screen.end()).toMatchObject({ code: 0, stdout: expect.stringContaining("key b'k'") })
  })

  it('can be left by Ctrl-C while the agent is stopped', async () => {
    const place = await runSandbox()
    const screen = terminal(place, ['run', '--pty', '--', ...agent(place, `${question}\nsys.stdin.readline()`)])
    await screen.shows('leave open')
    screen.press('C-c')
    await screen.shows('stays open')
    screen.press('C-c')
    expect((await screen.end()).code).not.toBe(0)
    expect(await place.hub.runs.list()).toMatchObject([{ status: 'stopped' }])
  })
})

/** What the command has printed on stdout so far, which the terminal keeps in a file. */
function printed({ cwd }: Sandbox): string {
  const file = readdirSync(cwd).find(name => /^out-\d+$/.test(name))
  return file === undefined ? '' : readFileSync(join(cwd, file), 'utf8')
}
