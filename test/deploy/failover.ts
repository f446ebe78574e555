import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createHttpHub } from '../../src/client/http-hub.ts'
import type { Hub } from '../../src/hub/hub.ts'
import { openLocalHub } from '../../src/open-hub.ts'
import { BeckonError, type HubApi } from '../../src/protocol/index.ts'
import { type Composed, startComposed } from './composed.ts'

// Agents ask and a person answers through the proxy, while one node after the other is taken away: killed, or stopped as
// an operator does. Every question says which answer is the right one, so that both ends can tell.

export interface FailoverOptions {
  database: string
  askers: number
  /** How often a node is taken away, half of the times by `kill -9`. */
  faults: number
  /** How many answers come before the next fault, and as many before the node is started again. */
  answersBetween: number
  /** Given, the database and the proxy are restarted, too: after every tenth fault, in turn. */
  restartDatabase?: () => Promise<void>
  log?: (text: string) => void
}

export interface FailoverFound {
  faults: { killed: number; stopped: number }
  restarts: { database: number; proxy: number }
  asked: number
  answered: number
  /** Answers that were not the right one, doubled or lost requests and events: one line each. */
  wrong: string[]
  /** How often an asker had to ask again, with the same key, since no reply came. */
  askedAgain: number
  /** The longest time from asking to having the answer, in milliseconds. */
  slowest: number
}

const options = ['yes', 'no', 'later']
const sealingKey = randomBytes(32).toString('base64')

export async function failOver({
  database,
  askers,
  log = () => {},
  ...options
}: FailoverOptions): Promise<FailoverFound> {
  const root = mkdtempSync(join(tmpdir(), 'beckon-failover-'))
  const hub = await openLocalHub({ database, env: { BECKON_KEY: sealingKey, BECKON_HOME: root }, sweeps: false })
  // What happens from now on is counted, each event once.
  await hub.statistics()
  const composed = await startComposed(root, database, sealingKey)
  const tokens = await Promise.all(
    (['ask', 'answer'] as const).map(async scope => (await hub.tokens.create({ scope, name: scope })).secret),
  )
  const [askToken = '', answerToken = ''] = tokens
  // Whoever has asked still gets an answer.
  const lastAsked = new AbortController()
  const lastAnswered = new AbortController()
  const found: FailoverFound = {
    faults: { killed: 0, stopped: 0 },
    restarts: { database: 0, proxy: 0 },
    asked: 0,
    answered: 0,
    wrong: [],
    askedAgain: 0,
    slowest: 0,
  }
  const connect = (token: string) => createHttpHub({ url: composed.url, token, agent: 'load', directory: '/work' })
  const person = connect(answerToken)
  const answering = answerAll(person, lastAnswered.signal)
  const asking = Array.from({ length: askers }, (_, n) => askOnAndOn(connect(askToken), n, found, lastAsked.signal))
  const work = Promise.all(asking)
  await Promise.race([takeAway(composed, found, { ...options, log }), work])
  lastAsked.abort()
  await work
  lastAnswered.abort()
  await answering
  await person.close()
  await composed.stop()
  found.wrong.push(...(await compare(hub, found)))
  await hub.close()
  rmSync(root, { recursive: true, force: true })
  return found
}

async function takeAway(
  composed: Composed,
  found: FailoverFound,
  { faults, answersBetween, restartDatabase, log = () => {} }: Omit<FailoverOptions, 'database' | 'askers'>,
): Promise<void> {
  const { nodes } = composed
  for (let n = 0; n < faults; n += 1) {
    await moreAnswers()
    const node = nodes[n % nodes.length]
    // Both ways in turn, and after a while each node in both.
    const isKill = (n + Math.floor(n / nodes.length)) % 2 === 0
    await node?.end(isKill ? 'SIGKILL' : 'SIGTERM')
    found.faults[isKill ? 'killed' : 'stopped'] += 1
    await moreAnswers()
    // The last one stays away.
    if (n < faults - 1) await node?.start()
    if (restartDatabase && n % 10 === 9) await restartOther(restartDatabase, n % 20 === 9 ? 'database' : 'proxy')
    if (n % 20 === 19) log(`${n + 1} of ${faults} faults, ${found.answered} answers`)
  }

  async function restartOther(restartDatabase: () => Promise<void>, what: 'database' | 'proxy') {
    await moreAnswers()
    await (what === 'database' ? restartDatabase() : composed.restartProxy())
    found.restarts[what] += 1
  }

  async function moreAnswers() {
    const enough = found.answered + answersBetween
    while (found.answered < enough) await sleep(10)
  }
}

/** An agent that asks its next question as soon as it has an answer. */
async function askOnAndOn(hub: HubApi, asker: number, found: FailoverFound, over: AbortSignal): Promise<void> {
  for (let n = 0; !over.aborted; n += 1) {
    const key = `asker ${asker}, question ${n}`
    const began = performance.now()
    found.asked += 1
    const value = await askUntilReplied(key)
    found.slowest = Math.max(found.slowest, performance.now() - began)
    found.answered += 1
    if (value !== rightAnswer(key)) found.wrong.push(`${key}: ${value} instead of ${rightAnswer(key)}`)
  }
  await hub.close()

  async function askUntilReplied(key: string): Promise<string> {
    for (;;) {
      try {
        const { answers } = await hub.ask({ key, questions: [{ question: key, options }] })
        return answers?.[0]?.selected.join() ?? ''
      } catch (error) {
        if (!(error instanceof BeckonError && error.code === 'unreachable')) throw error
        found.askedAgain += 1
      }
    }
  }
}

function rightAnswer(key: string): string {
  const sum = [...key].reduce((sum, character) => sum + (character.codePointAt(0) ?? 0), 0)
  return options[sum % options.length] as string
}

/** A person who answers whatever is new. A call that got no reply is made again: the same answer is a replay. */
async function answerAll(hub: HubApi, over: AbortSignal): Promise<void> {
  const underWay = new Set<Promise<void>>()
  try {
    for await (const { type, request } of hub.follow({ since: 0, signal: over })) {
      if (type !== 'request.created' || request === null) continue
      const work = answer(request)
      underWay.add(work)
      void work.finally(() => underWay.delete(work))
    }
  } catch (error) {
    if (!over.aborted) throw error
  }

  async function answer(id: string) {
    for (;;) {
      try {
        const { questions = [] } = (await hub.get(id)) as { questions?: { question: string }[] }
        await hub.answer(id, { value: rightAnswer(questions[0]?.question ?? '') })
        return
      } catch (error) {
        if (!(error instanceof BeckonError && error.code === 'unreachable')) throw error
      }
    }
  }
}

/** What is stored, beside what the askers were told. */
async function compare(hub: Hub, { asked }: FailoverFound): Promise<string[]> {
  const wrong: string[] = []
  const stored = new Map<string, string>()
  for (let after: string | null | undefined; after !== null; ) {
    const page = await hub.list({ status: 'all', limit: 200, ...(after ? { after } : {}) })
    for (const request of page.requests) {
      const key = request.key ?? ''
      if (stored.has(key)) wrong.push(`${key} was stored twice`)
      stored.set(key, request.id)
      const chosen = request.outcome?.answers?.[0]?.selected.join()
      if (chosen !== rightAnswer(key)) wrong.push(`${key} is stored as ${request.status}, ${chosen}`)
    }
    after = page.next
  }
  if (stored.size !== asked) wrong.push(`${asked} were asked, ${stored.size} are stored`)
  const counted = await hub.statistics()
  for (const name of ['created', 'settled', 'delivered'] as const) {
    const sum = counted[name].reduce((sum, { count }) => sum + count, 0)
    if (sum !== asked) wrong.push(`${asked} were asked, and there are ${sum} events of the kind ${name}`)
  }
  return wrong
}
