import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
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
    const { sandbox, screen, heard } = await start(
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
    await screen.shows('leave open')
    await screen.shows('You typed "delete" before the question')
    screen.press('Enter')
    await heard("heard 'keep\\n'")
    screen.type('delete all')
    touch(sandbox, 'goes on')
    await screen.shows('And now?')
    await screen.shows('You typed "delete all" before the question')
    await screen.shows('❯ 1. stop')
    screen.press('Enter')
    await heard("heard 'stop\\n'")
    screen.type('later')
    expect(await screen.end()).toMatchObject({ code: 0, stdout: expect.stringContaining("read 'later\\n'") })
  })
})

async function start(script: string, options: readonly string[] = []) {
  const sandbox = await createRunSandbox()
  const screen = terminal(sandbox, ['run', ...options, '--', ...agent(sandbox, script)])
  return { sandbox, screen, heard: (text: string) => until(() => printed(sandbox).includes(text), text) }
}

function agent({ cwd }: Sandbox, script: string): string[] {
  const file = join(cwd, 'agent.py')
  writeFileSync(file, `${helpers}${script}`)
  return ['python3', file]
}

function touch({ cwd }: Sandbox, name: string): void {
  writeFileSync(join(cwd, name), '')
}

/** The stdout of the command so far, which the terminal helper writes to a file. */
function printed({ cwd }: Sandbox): string {
  const file = readdirSync(cwd).find(name => /^out-\d+$/.test(name))
  return file === undefined || !existsSync(join(cwd, file)) ? '' : readFileSync(join(cwd, file), 'utf8')
}
