import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { openWire, type Wire } from '../../test/setup/wire.ts'
import { question } from '../processes/question.ts'

/** A server of `beckon serve` in a process of its own. */
export interface Server {
  pid: number
  port: number
  /** Tokens of these scopes. */
  ask: string
  answer: string
  stop(): Promise<void>
}

export async function startServers(count: number, database: string): Promise<Server[]> {
  const servers: Server[] = []
  for (let n = 0; n < count; n += 1) servers.push(await startServer(database))
  return servers
}

async function startServer(database: string): Promise<Server> {
  const child = fork(join(import.meta.dirname, '..', 'processes', 'server.ts'), [database], {
    execArgv: ['--expose-gc'],
  })
  const [message] = (await once(child, 'message')) as [Pick<Server, 'port' | 'ask' | 'answer'>]
  return { ...message, pid: child.pid ?? 0, stop }

  async function stop() {
    const ended = once(child, 'exit')
    child.send('stop')
    await ended
  }
}

/** Who asks on one server, and who answers on the same or another one. */
export interface Pair {
  asker: Wire
  person: Wire
  asked: Server
  answered: Server
}

export async function openPair(asked: Server, answered: Server): Promise<Pair> {
  const [asker, person] = await Promise.all([openWire(asked.port), openWire(answered.port)])
  return { asker, person, asked, answered }
}

export function closePair({ asker, person }: Pair): void {
  asker.close()
  person.close()
}

/** Asks, waits and answers: three calls and two durable commits. Returns the milliseconds from the answer to the resume. */
export async function cycle(pair: Pair, beforeAnswer = async () => {}): Promise<number> {
  const { asker, person, asked, answered } = pair
  const id = await ask(asker, asked)
  const settled = asker.call('GET', `/api/requests/${id}?wait=30`, asked.ask)
  await beforeAnswer()
  const began = performance.now()
  const answering = person.call('PUT', `/api/requests/${id}/answer`, answered.answer, { value: 'PostgreSQL' })
  const got = await settled
  const time = performance.now() - began
  const { status, body } = await answering
  if (status !== 200 || !got.body.includes('"answered"')) throw new Error(`${body} ${got.body}`)
  return time
}

// The same question again would join the earlier one.
let questions = 0

export async function ask(asker: Wire, server: Server): Promise<string> {
  questions += 1
  const { body } = await asker.call('POST', '/api/requests', server.ask, question(questions))
  const [, id] = /"id":"(req_\w+)"/.exec(body) ?? []
  if (!id) throw new Error(`no id in ${body}`)
  return id
}
