import { openLocalHub } from '../../src/open-hub.ts'
import type { AskInput } from '../../src/protocol/index.ts'

/** The ids of requests and runs that were stored by the hub itself; the fill copies their rows. */
export interface Patterns {
  open: string
  settled: string
  /** The same question, over and over in one run that goes on. */
  repeated: string
  loop: string
  endedRun: string
}

export function repeatedQuestion(run: string): AskInput {
  return { questions: [{ question: 'Shall the loop go on with the next item?', header: 'Next' }], run }
}

/** Asks and answers once through the hub, so that every copy has all that the hub stores beside a request. */
export async function storePatterns(database: string): Promise<Patterns> {
  const hub = await openLocalHub({ database, sweeps: false })
  const start = () => hub.runs.start({ command: ['agent', '--loop'], cwd: '/work/shop', name: 'agent' })
  const [loop, ended] = [await start(), await start()]
  await hub.runs.change(ended.id, { status: 'completed', exitCode: 0 })
  const open = await hub.raise({ questions: [{ question: 'What shall stay open?' }], context: 'Some context.' })
  const settled = await settle({ questions: [{ question: 'What shall be settled?' }], context: 'Some context.' })
  const repeated = await settle(repeatedQuestion(loop.id))
  await hub.close()
  return { open: open.id, settled, repeated, loop: loop.id, endedRun: ended.id }

  async function settle(input: AskInput): Promise<string> {
    const { id } = await hub.raise(input)
    await hub.answer(id, { value: 'Yes, after the backup is done' })
    await hub.confirmDelivery(id)
    return id
  }
}
