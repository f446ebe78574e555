import { setTimeout as sleep } from 'node:timers/promises'
import { type AskInput, BeckonError, type Request } from '../../../src/protocol/index.ts'
import { runWorker } from './run-worker.ts'

// Asks in every possible way, like an agent that is killed repeatedly and asks the same again after each restart.
await runWorker(async ({ options, hub, record, random, over }) => {
  await Promise.all([askInRun(), askRepeatedly(), askRepeatedly(), askRepeatedly(), askRepeatedly()])

  async function askRepeatedly() {
    for (let n = random.below(60); !over.aborted; n += 1) {
      const ask = askNumber(n)
      const raised = await hub.raise(ask)
      record({ result: 'raised', id: raised.id, key: raised.key, question: titleOf(raised) })
      if (random.chance(0.05)) await cancel(raised.id)
      if (random.chance(0.9)) await takeOutcome(raised.id)
      await sleep(random.below(15))
    }
  }

  /** Ask number n is the same after every restart, so a later process meets the requests of an earlier one. */
  function askNumber(n: number): AskInput {
    const question = (text: string, fallback?: string) => ({
      questions: [{ question: `${text} ${n}?`, ...(fallback === undefined ? {} : { default: fallback }) }],
    })
    const timeout = 20 + random.below(4) * 50
    switch (n % 7) {
      case 0:
      case 1:
        return { ...question('Keyed'), key: `key-${n}` }
      case 2:
        return { ...question('Defaulted', 'fallback'), required: false, timeout, onTimeout: 'default' }
      case 3:
        return { ...question('Expired'), required: false, timeout, onTimeout: 'fail' }
      case 4:
        return { ...question('Reminded'), timeout, onTimeout: 'remind' }
      case 5:
        return { kind: 'dependency', type: 'env_variable', name: `SECRET_${n}`, description: 'A value to use once' }
      default:
        return question('Plain')
    }
  }

  async function takeOutcome(id: string) {
    const request = await hub.wait(id, { for: 800 })
    if (request.status === 'pending') return
    record({ result: 'resumed', id, outcome: request.outcome })
    if (request.kind === 'dependency' && request.status === 'answered') return use(id)
    await hub.confirmDelivery(id)
    record({ result: 'delivered', id })
  }

  async function use(id: string) {
    try {
      const { value } = await hub.use(id)
      record({ result: 'used', id, value })
    } catch (error) {
      // Another asker that joined this request was faster.
      if (!(error instanceof BeckonError && error.code === 'used')) throw error
    }
  }

  async function cancel(id: string) {
    const { won, replay, request } = await hub.cancel(id, { reason: `withdrawn by ${options.name}` })
    record({ result: 'settled', id, won, replay, mine: `withdrawn by ${options.name}`, outcome: request.outcome })
  }

  /** A run that asks the same few questions repeatedly; after a restart it replays its earlier answers. */
  async function askInRun() {
    const again = options.run === null ? {} : { again: options.run }
    const run = await hub.runs.start({ command: ['loop'], cwd: process.cwd(), resumeCommand: ['loop'], ...again })
    record({ result: 'running', run: run.id })
    for (let step = 0; step < 60 && !over.aborted; step += 1) {
      const question = `Continue with ${step % 3}?`
      const raised = await hub.raise({ run: run.id, questions: [{ question }] })
      record({ result: 'raised', id: raised.id, key: null, question: `${run.id} ${question}` })
      record({ result: 'step', id: raised.id, run: run.id, question, n: Math.floor(step / 3) })
      while (!over.aborted && (await hub.wait(raised.id, { for: 500 })).status === 'pending');
      if (over.aborted) return
      await takeOutcome(raised.id)
    }
  }
})

function titleOf(request: Request): string {
  return request.kind === 'question' ? (request.questions[0]?.question ?? '') : `needs ${request.id}`
}
