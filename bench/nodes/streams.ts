import { once } from 'node:events'
import { openWire, type Wire } from '../../test/setup/wire.ts'
import { perSecond } from '../floor.ts'
import { ask, type Server } from './servers.ts'

const streamsEach = 250
const atATime = 50
const events = 600

/** How many events per second reach streams on all nodes, asked on all of them; until the last stream has the last event. */
export async function measureStreams(servers: readonly Server[]): Promise<number> {
  const streams = (await Promise.all(servers.map(openStreams))).flat()
  const askers = await Promise.all(
    Array.from({ length: atATime }, async (_, n) => {
      const server = servers[n % servers.length]
      if (!server) throw new Error('no server')
      return { server, wire: await openWire(server.port) }
    }),
  )
  const expected = streams.length * events
  let received = 0
  const all = Promise.withResolvers<void>()
  for (const { socket } of streams) {
    socket.on('data', (bytes: Buffer) => {
      received += countEvents(bytes)
      if (received >= expected) all.resolve()
    })
  }
  const began = performance.now()
  let asked = 0
  const askUntilDone = async ({ server, wire }: (typeof askers)[number]) => {
    while (asked < events) {
      asked += 1
      await ask(wire, server)
    }
  }
  await Promise.all([...askers.map(askUntilDone), all.promise])
  const rate = perSecond(expected, began)
  for (const wire of [...streams, ...askers.map(({ wire }) => wire)]) wire.close()
  return rate
}

async function openStreams({ port, answer }: Server): Promise<Wire[]> {
  const wires = await Promise.all(Array.from({ length: streamsEach }, () => openWire(port)))
  for (const wire of wires) wire.send('GET', '/api/events', answer, 'accept: text/event-stream\r\n')
  await Promise.all(wires.map(({ socket }) => once(socket, 'data')))
  return wires
}

/** A message may begin a chunk or be inside of it. */
function countEvents(bytes: Buffer): number {
  let count = bytes.indexOf('id: ') === 0 ? 1 : 0
  for (let at = bytes.indexOf('\nid: '); at >= 0; at = bytes.indexOf('\nid: ', at + 1)) count += 1
  return count
}
