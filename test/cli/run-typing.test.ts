import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { addressOf } from '../../src/supervisor/holder/address.ts'
import { connectHolder } from '../../src/supervisor/holder/connect.ts'
import { createRunSandbox } from './run-sandbox.ts'
import { type Sandbox, until } from './sandbox.ts'
import { terminal } from './tmux.ts'

// The agent of these tests prints what it hears, and goes on when a file is there.
const helpers = String.raw`
import os, sys, time
def say(text): print(text, flush=True)
def until(name):
    while not os.path.exists(name): time.sleep(0.01)
def ask(text, options="[keep, delete]"):
    say("[USER_QUESTION]\ncategory: choice\nquestion: " + text + "\noptions: " + options + "\n[/USER_QUESTION]")
    say("heard " + repr(sys.stdin.readline()))
`

const ways = [
  ['on pipes', []],
  ['on a pseudo-terminal', ['--pty']],
] as const

describe.skipIf(process.platform !== 'linux')('what is typed to beckon run', () => {
  it.each(ways)('is no answer to a question that was not shown yet, to an agent %s', async (_, options) => {
    const { sandbox, screen, heard, choose } = await start(
      `
say("works")
until("asks")
ask("Which?")
until("goes on")
ask("And now?", "[stop, go]")
say("read " + repr(sys.stdin.readline()))
`,
      options,
    )
    await heard('works')
    screen.type('delete')
    touch(sandbox, 'asks')
    await screen.shows('You typed "delete" before the question')
    await choose('keep')
    await heard(String.raw`heard 'keep\n'`)
    screen.type('delete all')
    touch(sandbox, 'goes on')
    await screen.shows('You typed "delete all" before the question')
    await choose('stop')
    await heard(String.raw`heard 'stop\n'`)
    screen.type('later')
    expect(await screen.end()).toMatchObject({ code: 0, stdout: expect.stringContaining(String.raw`read 'later\n'`) })
  })

  it.each(ways)('comes back as a whole when the agent asks: several lines, and half of one, %s', async (_, options) => {
    const { sandbox, screen, heard, choose } = await start('say("works")\nuntil("asks")\nask("Which?")', options)
    await heard('works')
    screen.type('하나')
    screen.type('두 번째')
    screen.write('반쪽')
    touch(sandbox, 'asks')
    await choose('keep')
    expect(await screen.end()).toMatchObject({ code: 0, stdout: expect.stringContaining(String.raw`heard 'keep\n'`) })
    for (const text of ['"하나"', '"두 번째"', '"반쪽"']) await screen.shows(text)
  })

  it.each(ways)('reaches an agent that waits for it line by line, until it asks, %s', async (_, options) => {
    const { sandbox, screen, heard, choose } = await start(
      'say("works")\nuntil("reads")\nsay("read " + repr(sys.stdin.readline()))\nask("Which?")',
      options,
    )
    await heard('works')
    screen.type('one')
    screen.type('two')
    touch(sandbox, 'reads')
    await heard(String.raw`read 'one\n'`)
    await screen.shows('You typed "two" before the question')
    await choose('keep')
    expect(await screen.end()).toMatchObject({ code: 0, stdout: expect.stringContaining(String.raw`heard 'keep\n'`) })
  })

  it('does not leave the rest of a line in the stdin of an agent that reads single keys', async () => {
    const { screen, choose } = await start('say("key " + repr(os.read(0, 1)))\nask("Which?")')
    screen.type('yes')
    await screen.shows('You typed "es" before the question')
    await choose('keep')
    expect(await screen.end()).toMatchObject({ code: 0, stdout: expect.stringContaining(String.raw`heard 'keep\n'`) })
  })

  it.each(ways)(
    'stays here while a question is left open, and Enter brings the question back, %s',
    async (_, options) => {
      const { screen, heard, choose } = await start('ask("Which?")\nsay("read " + repr(sys.stdin.readline()))', options)
      await screen.shows('leave open')
      screen.press('C-c')
      await screen.shows('The agent gets nothing you type until then. Enter asks you again, Ctrl-C stops the run.')
      screen.type('delete')
      await screen.shows('You typed "delete" while a request is open. It was not sent to the agent.')
      await choose('keep')
      await heard(String.raw`heard 'keep\n'`)
      screen.type('later')
      expect(await screen.end()).toMatchObject({ code: 0, stdout: expect.stringContaining(String.raw`read 'later\n'`) })
    },
  )

  it('goes to the agent again when a question that was left open is answered elsewhere', async () => {
    const { sandbox, screen, heard } = await start('ask("Which?")\nsay("read " + repr(sys.stdin.readline()))')
    await screen.shows('leave open')
    screen.press('C-c')
    await screen.shows('stays open')
    await sandbox.hub.answer((await sandbox.pending()).id, { value: 'keep' })
    await heard(String.raw`heard 'keep\n'`)
    screen.type('later')
    expect(await screen.end()).toMatchObject({ code: 0, stdout: expect.stringContaining(String.raw`read 'later\n'`) })
  })

  it.each(ways)('reaches an agent that never waits for it when the person says so, %s', async (_, options) => {
    const { screen, heard, choose } = await start(
      `
import select
def polled():
    while not select.select([0], [], [], 0)[0]: time.sleep(0.01)
    say("read " + repr(os.read(0, 100)))
say("works")
polled()
ask("Which?")
`,
      options,
    )
    await heard('works')
    screen.type('one')
    screen.type('two')
    await screen.shows('The agent has not read what you typed.')
    screen.press('Enter')
    await heard(String.raw`read b'one\ntwo\n'`)
    await choose('keep')
    expect(await screen.end()).toMatchObject({ code: 0, stdout: expect.stringContaining(String.raw`heard 'keep\n'`) })
  })

  it('is not an answer for the next supervisor either, which says so in the log', async () => {
    const { sandbox, screen, heard } = await start('say("works")\nuntil("asks")\nask("Which?")\nsay("over")')
    await heard('works')
    screen.type('delete')
    await screen.shows('delete')
    const [run] = await sandbox.hub.runs.list()
    const folder = join(sandbox.home, 'runs', run?.id ?? '')
    await held(folder)
    process.kill(JSON.parse(readFileSync(join(folder, 'settings.json'), 'utf8')).supervisor.pid, 'SIGKILL')
    touch(sandbox, 'asks')
    const recovering = sandbox.start(['run', '--recover'])
    await sandbox.hub.answer((await sandbox.pending()).id, { value: 'keep' })
    expect((await recovering.result).code).toBe(0)
    const { stdout, stderr } = await sandbox.run(['runs', 'logs', run?.id ?? ''])
    expect(stdout).toContain(String.raw`heard 'keep\n'`)
    expect(stdout + stderr).toContain('What was typed before the question was not sent to the agent.')
    expect(stdout + stderr).not.toContain('"delete"')
  })
})

describe.skipIf(process.platform !== 'linux')('what is piped to beckon run', () => {
  it('reaches the agent after the answer to its question, in order and with its end', async () => {
    const sandbox = await createRunSandbox()
    const script = 'time.sleep(0.2)\nask("Which?")\nsay("read " + repr(sys.stdin.read()))'
    const running = sandbox.start(['run', '--stdin', 'inherit', '--', ...agent(sandbox, script)], {
      input: 'delete\nall\n',
    })
    await sandbox.hub.answer((await sandbox.pending()).id, { value: 'keep' })
    const { code, stdout } = await running.result
    expect(code).toBe(0)
    expect(stdout).toContain(String.raw`heard 'keep\n'`)
    expect(stdout).toContain(String.raw`read 'delete\nall\n'`)
  })
})

async function start(script: string, options: readonly string[] = []) {
  const sandbox = await createRunSandbox()
  const screen = terminal(sandbox, ['run', ...options, '--', ...agent(sandbox, script)])
  return { sandbox, screen, heard: (text: string) => until(() => printed(sandbox).includes(text), text), choose }

  /** Takes the first option of the question on the screen. */
  async function choose(option: string) {
    await screen.shows('leave open').catch(async error => {
      const { requests } = await sandbox.hub.list()
      throw new Error(`${error.message}\nIt printed: ${printed(sandbox)}\nOpen: ${JSON.stringify(requests)}`)
    })
    screen.press('1')
    await screen.shows(`❯ 1. ${option}`)
    screen.press('Enter')
  }
}

function agent({ cwd }: Sandbox, script: string): string[] {
  const file = join(cwd, 'agent.py')
  writeFileSync(file, `${helpers}${script}`)
  return ['python3', file]
}

/** Waits until the holder of a run holds something back. */
async function held(folder: string): Promise<void> {
  const address = addressOf(folder)
  if (!address) throw new Error('The run has no holder.')
  await until(async () => {
    const { hello, close } = await connectHolder(address, { onOutput() {}, onExit() {}, onLost() {} })
    close()
    return (hello.held ?? 0) > 0
  }, 'what is typed at the holder')
}

function touch({ cwd }: Sandbox, name: string): void {
  writeFileSync(join(cwd, name), '')
}

/** The stdout of the command so far, which the terminal helper writes to a file. */
function printed({ cwd }: Sandbox): string {
  const file = readdirSync(cwd).find(name => /^out-\d+$/.test(name))
  return file === undefined || !existsSync(join(cwd, file)) ? '' : readFileSync(join(cwd, file), 'utf8')
}
