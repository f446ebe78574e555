import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Random } from '../crash/random.ts'

export interface WorkContext {
  port: number
  tokens: { ask: string; answer: string }
  random: Random
  over: AbortSignal
  count(what: string): void
  /** Something that must not happen. */
  report(fault: string): void
  /** Runs `beckon` on the server's home, and resolves to its exit code. */
  beckon(...args: string[]): Promise<number | null>
}

interface Reply {
  status: number
  // The work reads a few fields of whatever the hub sent.
  body: Record<string, unknown>
}

interface Open {
  id: string
  kind: string
}

const agent = join(import.meta.dirname, 'processes/mixed-agent.py')

/** All kinds of work at once, at a moderate rate, until it is over. */
export async function doMixedWork(context: WorkContext, gc: { every: number; keep: number }): Promise<void> {
  const { over } = context
  const hook = await startReceiver(context)
  if ((await context.beckon('notify', 'add', 'webhook', hook.url, '--name', 'hook')) !== 0) {
    context.report('the webhook was not added')
  }
  const watching = follow(context, null)
  await fillMemory(context)
  await Promise.all([
    watching,
    repeat(900, () => ask(context)),
    repeat(900, () => ask(context)),
    repeat(5_000, () => approve(context)),
    repeat(500, () => answerAll(context)),
    ...Array.from({ length: 4 }, () => repeat(2_000, () => follow(context, 3_000 + context.random.below(40_000)))),
    repeat(3_000, () => leaveWait(context)),
    repeat(15_000, () => run(context)),
    repeat(gc.every * 1_000, () => collect(context, gc.keep)),
  ])
  hook.close()

  async function repeat(pause: number, work: () => Promise<void>) {
    while (!over.aborted) {
      await sleep(pause / 2 + context.random.below(pause), undefined, { signal: over }).catch(() => {})
      if (!over.aborted) await work()
    }
  }
}

// The server keeps as many events in memory for streams that fall behind.
const keptInMemory = 8_192

/** Fills what grows by design up to a limit, so that everything is flat from then on. */
async function fillMemory(context: WorkContext): Promise<void> {
  const { tokens, over, count } = context
  let left = Math.ceil(keptInMemory / 3)
  // With the token of a person, which is not limited to so many asks a second.
  await Promise.all(
    Array.from({ length: 10 }, async () => {
      while (left > 0 && !over.aborted) {
        left -= 1
        const questions = [{ question: `What about the first ${left}?` }]
        const { body } = await call(context, tokens.answer, 'POST', '/api/requests', { questions })
        await call(context, tokens.answer, 'PUT', `/api/requests/${body.id}/answer`, { value: `answer to ${body.id}` })
        await call(context, tokens.answer, 'PUT', `/api/requests/${body.id}/delivery`, {})
        count('at first')
      }
    }),
  )
}

/** Asks, waits and takes the answer; some are withdrawn, and some take their default. */
async function ask(context: WorkContext): Promise<void> {
  const { random, tokens, count, report } = context
  const question = { question: `What about ${random.below(1e9)}?`, default: 'fallback' }
  const way = random.below(10)
  const policy = way === 0 ? { required: false, timeout: 100, onTimeout: 'default' } : {}
  const { status, body } = await call(context, tokens.ask, 'POST', '/api/requests', {
    questions: [question],
    ...policy,
  })
  if (status !== 201) return report(`an ask got ${status}: ${JSON.stringify(body)}`)
  const path = `/api/requests/${body.id}`
  if (way === 1) await call(context, tokens.ask, 'PUT', `${path}/cancel`, {})
  const settled = await call(context, tokens.ask, 'GET', `${path}?wait=60`)
  const { answers } = (settled.body.outcome ?? {}) as { answers?: { text: string }[] }
  const isRight = settled.body.status !== 'answered' || answers?.[0]?.text === `answer to ${body.id}`
  if (settled.body.status === 'pending' || !isRight) report(`${body.id} got ${JSON.stringify(settled.body)}`)
  await call(context, tokens.ask, 'PUT', `${path}/delivery`, {})
  count(String(settled.body.status))
}

async function approve(context: WorkContext): Promise<void> {
  const { random, tokens, count, report } = context
  const action = { command: `git push origin branch-${random.below(1e9)}`, cwd: '/work' }
  const { body } = await call(context, tokens.ask, 'POST', '/api/requests', { kind: 'approval', action })
  await call(context, tokens.ask, 'GET', `/api/requests/${body.id}?wait=60`)
  const used = await call(context, tokens.ask, 'POST', `/api/requests/${body.id}/value`, {})
  if (used.status !== 200) report(`an approved command was refused: ${JSON.stringify(used.body)}`)
  count('approved')
}

async function answerAll(context: WorkContext): Promise<void> {
  const { random, tokens } = context
  const { body } = await call(context, tokens.answer, 'GET', '/api/requests?limit=50')
  for (const { id, kind } of (body.requests ?? []) as Open[]) {
    const path = `/api/requests/${id}`
    if (kind === 'question' && random.chance(0.25)) {
      await call(context, tokens.answer, 'PUT', `${path}/draft`, { answers: [{ id: 'q1', text: 'not sure yet' }] })
    }
    await call(context, tokens.answer, 'PUT', `${path}/answer`, {
      value: kind === 'approval' ? 'yes' : `answer to ${id}`,
    })
  }
}

/** A stream of events that comes and goes, as pages do; or stays until the end. */
async function follow({ port, tokens, over, count }: WorkContext, ms: number | null): Promise<void> {
  const signal = ms === null ? over : AbortSignal.any([over, AbortSignal.timeout(ms)])
  const headers = { authorization: `Bearer ${tokens.answer}`, accept: 'text/event-stream' }
  try {
    const response = await fetch(`http://127.0.0.1:${port}/api/events`, { headers, signal })
    for await (const _bytes of response.body ?? []);
  } catch {
    // It was time to go.
  }
  count('streams')
}

/** A waiter that leaves before the answer. */
async function leaveWait(context: WorkContext): Promise<void> {
  const { tokens, port, random, count } = context
  const { body } = await call(context, tokens.ask, 'POST', '/api/requests', {
    questions: [{ question: `Shall I wait for ${random.below(1e9)}?` }],
  })
  const headers = { authorization: `Bearer ${tokens.ask}` }
  const signal = AbortSignal.timeout(50 + random.below(300))
  await fetch(`http://127.0.0.1:${port}/api/requests/${body.id}?wait=60`, { headers, signal }).catch(() => {})
  count('waits left')
}

/** Two of three runs wait for their answers; the third sleeps, and the server wakes it. */
async function run({ random, beckon, count, report }: WorkContext): Promise<void> {
  const sleeps = random.chance(0.34)
  const flags = sleeps ? ['--sleep-after', '1ms'] : []
  const code = await beckon('run', '--no-human', 'park', ...flags, '--', 'python3', agent)
  if (code !== 0 && !(sleeps && code === 75)) report(`a run ended with ${code}`)
  count(code === 75 ? 'runs asleep' : 'runs')
}

async function collect({ beckon, count, report }: WorkContext, keep: number): Promise<void> {
  if ((await beckon('gc', '--older-than', `${keep}s`)) !== 0) report('gc failed')
  count('gc')
}

async function call(
  { port, report }: WorkContext,
  token: string,
  method: string,
  path: string,
  body?: object,
): Promise<Reply> {
  try {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    return { status: response.status, body: (await response.json()) as Record<string, unknown> }
  } catch (error) {
    report(`${method} ${path} failed: ${error instanceof Error ? error.message : error}`)
    return { status: 0, body: {} }
  }
}

async function startReceiver({ count }: WorkContext) {
  const server = createServer((request, response) => {
    request.resume().on('end', () => response.end())
    count('webhooks')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
