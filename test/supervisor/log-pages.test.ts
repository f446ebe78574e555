import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { runFolder } from '../../src/supervisor/folder.ts'
import { createLocalRunLogs } from '../../src/supervisor/log/local-run-logs.ts'
import { openLogWriter } from '../../src/supervisor/log/writer.ts'
import { temporaryFolder } from '../setup/databases.ts'

it('a reader who waits for more has every last note of a log, however it is closed', async () => {
  const home = temporaryFolder()
  const read: string[][] = []
  for (let i = 0; i < 40; i += 1) read.push(await readWhileItEnds(home, i))
  expect(read).toEqual(read.map(() => ['printed\n', 'the agent failed', 'the end']))
})

/** Each log ends a little later than the one before: earlier and later than what its reader does at that time. */
async function readWhileItEnds(home: string, turns: number): Promise<string[]> {
  const run = `run_${turns}`
  const writer = await openLogWriter(runFolder(home, run).log)
  writer.write('out', Buffer.from('printed\n'))
  await writer.flush()
  return readAll(home, run, async () => {
    for (let turn = 0; turn < turns * 50; turn += 1) await setImmediate()
    writer.note('the agent failed')
    writer.note('the end')
    await writer.close({ final: true })
  })
}

/** Page by page, as the browser does; the log ends while it waits for the second page. */
async function readAll(home: string, run: string, end: () => Promise<void>): Promise<string[]> {
  const logs = createLocalRunLogs(home)
  const texts: string[] = []
  let after: string | undefined
  let ending: Promise<void> | null = null
  for (;;) {
    const reading = logs.read(run, { ...(after ? { after } : {}), wait: 10, ended: false })
    if (after) ending ??= end()
    const page = await reading
    texts.push(...page.pieces.map(({ text }) => text))
    after = page.next
    if (page.final) break
  }
  await ending
  return texts
}
