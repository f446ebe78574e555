import type { Inbox } from '../../src/protocol/index.ts'
import { openWire, type Wire } from '../setup/wire.ts'
import type { LoadServer } from './load.ts'

export interface Flooded {
  /** The dangerous request that came before the flood. */
  dangerous: string
  urgent: Inbox
  waiting: Inbox
  found: Inbox
  /** What it holds, in bytes, with a quarter of the requests and with all of them. */
  memoryBefore: number
  memoryAfter: number
  /** What it took more of the machine to look at the inbox again and again. */
  memoryOfLooks: number
  /** How long one look at the inbox took in the end, in milliseconds: the median. */
  took: number
}

const looks = 20
const connections = 20
// So that a server which reads whole requests to list them is seen to grow.
const context = 'What it is about, at length. '.repeat(400)

/** What a server may grow by while its inbox grows fourfold, or is looked at: less than what was asked meanwhile. */
export const mostGrowth = 10_000_000

/** One agent waits for a dangerous command; then another one asks again and again, with one token. */
export async function flood(server: LoadServer, count: number, log: (text: string) => void): Promise<Flooded> {
  const person = await openWire(server.port)
  const ask = async (wire: Wire, body: object) => {
    const { status, body: text } = await wire.call('POST', '/api/requests', server.ask, body)
    if (status !== 201) throw new Error(`The ask was refused: ${text}`)
    return (JSON.parse(text) as { id: string }).id
  }
  const inbox = async (query: string): Promise<Inbox> => {
    const { status, body } = await person.call('GET', `/api/inbox${query}`, server.answer)
    if (status !== 200) throw new Error(`There is no inbox: ${body}`)
    return JSON.parse(Buffer.from(body, 'latin1').toString())
  }
  const action = { command: 'terraform destroy -auto-approve', cwd: '/srv/shop' }
  const dangerous = await ask(person, { kind: 'approval', action, agent: { name: 'deployer', cwd: '/srv/shop' } })
  const words = ['Rename', 'Delete', 'Move', 'Format', 'Check']
  await askMany(0, count / 4)
  await look()
  const memoryBefore = await server.memory('held')
  await askMany(count / 4, count)
  log(`${count} asked`)
  const memoryAfter = await server.memory('held')
  const takenBefore = await server.memory('taken')
  const took = await look()
  const memoryOfLooks = (await server.memory('taken')) - takenBefore
  const [urgent, waiting, found] = [
    await inbox('?view=urgent'),
    await inbox(''),
    await inbox('?search=TERRAFORM%20shop'),
  ]
  person.close()
  return { dangerous, urgent, waiting, found, memoryBefore, memoryAfter, memoryOfLooks, took }

  async function askMany(from: number, to: number): Promise<void> {
    let n = from
    const wires = await Promise.all(Array.from({ length: connections }, () => openWire(server.port)))
    await Promise.all(
      wires.map(async wire => {
        while (n < to) {
          n += 1
          const question = `${words[n % words.length]} file${n}.ts in step ${n}?`
          await ask(wire, {
            questions: [{ question }],
            context: `${n} ${context}`,
            agent: { name: 'busy', cwd: '/tmp' },
          })
        }
      }),
    )
    for (const wire of wires) wire.close()
  }

  async function look(): Promise<number> {
    const times: number[] = []
    for (let i = 0; i < looks; i += 1) {
      const began = performance.now()
      await inbox(i % 2 === 0 ? '' : '?view=urgent')
      times.push(performance.now() - began)
    }
    await inbox('?search=nothing%20like%20that')
    return times.toSorted((a, b) => a - b)[looks / 2] ?? 0
  }
}
