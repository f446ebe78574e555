import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createSandbox, launcher, type Sandbox, until } from './sandbox.ts'
import { dumbTerminal, terminal } from './tmux.ts'

const describeIt = ['ask', 'Describe it']
const ready = 'leave open'
const marked = { marked: true }
const sizes = [
  { columns: 40, rows: 20 },
  { columns: 100, rows: 40 },
]

describe('a paste into a prompt', () => {
  it.each(sizes)('is one edit, collapsed to its length, and sent whole at $columns×$rows', async size => {
    const sandbox = await createSandbox()
    const { shows, write, paste, press, end, screen } = terminal(sandbox, describeIt, {}, size)
    await shows(ready)
    write('The log: ')
    paste(lines(300), marked)
    await shows('The log: [300 lines pasted]')
    expect(screen()).not.toContain('line 7')
    press('C-_')
    await shows(/The log: *$/m)
    paste(`${lines(300)}\n`, marked)
    await shows('[300 lines pasted]')
    press('Enter')
    expect(await end()).toEqual({ code: 0, stdout: `The log: ${lines(300)}\n\n` })
  })

  it('of 10,000 lines takes less than a second of processor time, and Ctrl-C is not behind it', async () => {
    const sandbox = await createSandbox()
    const { shows, paste, press, pid, end } = terminal(sandbox, describeIt)
    await shows(ready)
    const before = processorTime(pid())
    paste(lines(10_000), marked)
    await shows('[10,000 lines pasted]')
    expect(processorTime(pid()) - before).toBeLessThan(1_000)
    press('C-c')
    expect((await end()).code).toBe(75)
  })

  it.each(sizes)(
    'is one edit also where it is not marked, and its Enter sends nothing at $columns×$rows',
    async size => {
      const sandbox = await createSandbox()
      const { shows, paste, press, end } = terminal(sandbox, describeIt, {}, size)
      await shows(ready)
      paste(`${lines(3_000)}\n`)
      await shows('[3,000 lines pasted]')
      press('C-_')
      paste('one\ntwo\n')
      await shows(/one\n.*two\n/)
      press('Enter')
      expect(await end()).toEqual({ code: 0, stdout: 'one\ntwo\n\n' })
    },
  )

  it.each(['SIGTERM', 'SIGINT'] as const)('never reaches the shell if %s ends the command meanwhile', async signal => {
    const sandbox = await createSandbox()
    const { tmux, shows, paste, type } = await promptInShell(sandbox)
    const pid = Number(readFileSync(join(sandbox.cwd, 'pid'), 'utf8'))
    // Stopped, it reads nothing until all of this has happened.
    process.kill(pid, 'SIGSTOP')
    paste('touch pasted\n'.repeat(20_000), marked)
    await until(() => hasInput(tmux('display-message', '-p', '#{pane_tty}').trim()), 'the paste to arrive')
    process.kill(pid, signal)
    process.kill(pid, 'SIGCONT')
    await shows(/stays open[^$#]*[$#] /)
    type('echo still $((40 + 2)) >&2')
    await shows('still 42')
    expect(existsSync(join(sandbox.cwd, 'pasted'))).toBe(false)
  })
})

describe('a paste into a prompt in plain lines', () => {
  it.each(sizes)('is one answer of several lines, sent by Enter at $columns×$rows', async size => {
    const sandbox = await createSandbox()
    const { shows, paste, press, end, screen } = dumbTerminal(sandbox, describeIt, size)
    await shows('Enter your answer: ')
    paste(`${lines(300)}\n`)
    await shows('300 lines. Press Enter to send them')
    expect((await sandbox.pending()).status).toBe('pending')
    press('Enter')
    expect(await end()).toEqual({ code: 0, stdout: `${lines(300)}\n` })
    expect(screen()).toMatch(/^✔ Describe it: line 1/m)
  })

  it('keeps its last line without a line break, and what comes after it', async () => {
    const sandbox = await createSandbox()
    const { shows, paste, type, press, end } = dumbTerminal(sandbox, describeIt)
    await shows('Enter your answer: ')
    paste('one\n/decline two')
    await shows('2 lines. Press Enter to send them')
    type('three')
    await shows('3 lines. Press Enter to send them')
    press('Enter')
    expect(await end()).toEqual({ code: 0, stdout: 'one\n/decline two\nthree\n' })
  })

  it('can be discarded', async () => {
    const sandbox = await createSandbox()
    const { shows, paste, type, end } = dumbTerminal(sandbox, describeIt)
    await shows('Enter your answer: ')
    paste('one\ntwo\n')
    await shows('2 lines. Press Enter to send them')
    type('/discard')
    await shows(/Discarded\.\nEnter your answer: $/m)
    type('three')
    expect(await end()).toEqual({ code: 0, stdout: 'three\n' })
  })
})

/** A prompt that was started in an interactive shell, which does not mind that it is stopped. */
async function promptInShell(sandbox: Sandbox) {
  const started = terminal(sandbox, ['--norc', '-i'], {}, { interpreter: 'bash' })
  await started.shows(/[$#] /)
  const command = `"${process.execPath}" "${launcher}" ask "Describe it" >answer`
  started.type('set +m')
  started.type(`(echo $BASHPID >pid; exec ${command})`)
  await started.shows(ready)
  await until(() => existsSync(join(sandbox.cwd, 'pid')), 'its process id')
  return started
}

/** Whether there is something to read, without reading it. */
function hasInput(tty: string): boolean {
  return spawnSync('bash', ['-c', 'read -t 0 <"$0"', tty]).status === 0
}

function lines(count: number): string {
  return Array.from({ length: count }, (_, i) => `line ${i + 1} of a log, as long as they are: 2026-11-16 한글`).join(
    '\n',
  )
}

/** In milliseconds; Linux counts in hundredths of a second. */
function processorTime(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}
