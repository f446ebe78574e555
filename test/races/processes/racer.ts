import { flushCompileCache } from 'node:module'
import { setTimeout as sleep } from 'node:timers/promises'
import { openHub } from '../../../src/open-hub.ts'
import { type AnswerInput, type AskInput, BeckonError, type HubApi } from '../../../src/protocol/index.ts'

/** A command that all racers run at the same instant. */
export type Command = { at: number } & (
  | { verb: 'open'; database: string }
  | { verb: 'raise'; input: AskInput }
  | { verb: 'answer'; id: string; input: AnswerInput }
  | { verb: 'close' }
)

export type Result = { value: unknown } | { code: string; message: string }

// One of many processes that run the same command at the same moment.
let hub: HubApi | null = null
process.on('disconnect', () => process.exit())
process.on('message', async (command: Command) => {
  await waitUntil(command.at)
  const result = await perform(command).then(
    (value): Result => ({ value: value ?? null }),
    (error: Error): Result => ({ code: error instanceof BeckonError ? error.code : 'fault', message: String(error) }),
  )
  process.send?.(result)
  if (command.verb === 'open') flushCompileCache()
})
process.send?.('ready')

async function perform(command: Command): Promise<unknown> {
  if (command.verb === 'open') {
    hub = await openHub({ database: command.database })
    return null
  }
  if (!hub) throw new Error('not open yet')
  switch (command.verb) {
    case 'raise':
      return hub.raise(command.input)
    case 'answer':
      return hub.answer(command.id, command.input)
    case 'close':
      return hub.close()
  }
}

async function waitUntil(at: number) {
  await sleep(Math.max(0, at - Date.now() - 2))
  while (Date.now() < at);
}
