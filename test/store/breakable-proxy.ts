import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

type Break = 'cut' | 'swallow'
type Statement = 'commit' | 'listen'

/**
 * A proxy to PostgreSQL that can break at the worst moment: after the commit, before its acknowledgement. `arm()` breaks
 * the connection at the next COMMIT, or LISTEN: by cutting it, or by swallowing everything from then on, in both directions
 * and without an error, as a network does that drops packets. `swallow()` does that to every open connection, at once; with
 * `'and new ones'` also to those that are opened until `deliver()`. `roundTrips()` counts how often clients waited.
 */
export async function startBreakableProxy(url: string) {
  const server = new URL(url)
  const port = Number(server.port)
  let armed: Break | null = null
  let statement: Statement = 'commit'
  let swallowsNew = false
  let roundTrips = 0
  const sockets = new Set<Socket>()
  const clients = new Set<Socket>()
  const swallowed = new Set<Socket>()
  const proxy = createServer(client => {
    const upstream = connect(port, server.hostname)
    let committing = false
    let isAnswered = true
    if (swallowsNew) swallowed.add(client)
    clients.add(client)
    client.on('close', () => clients.delete(client))
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => sockets.delete(socket))
    }
    client.on('data', data => {
      if (swallowed.has(client)) return
      if (isAnswered) roundTrips += 1
      isAnswered = false
      committing ||= armed !== null && data.includes(statement)
      upstream.write(data)
    })
    upstream.on('data', data => {
      // The server's acknowledgement of the statement; it must not get through.
      if (swallowed.has(client)) return
      isAnswered = true
      if (!committing || !data.includes(`${statement.toUpperCase()}\0`)) return client.write(data)
      const how = armed
      armed = null
      if (how === 'swallow') return swallowed.add(client)
      client.destroy()
      return upstream.destroy()
    })
    // Nobody learns of the end of a connection that is swallowed.
    client.on('end', () => swallowed.has(client) || upstream.end())
    upstream.on('end', () => swallowed.has(client) || client.end())
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const address = proxy.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  server.port = String(address.port)
  return {
    url: server.href,
    arm: (how: Break = 'cut', at: Statement = 'commit') => {
      statement = at
      armed = how
    },
    wasCut: () => armed === null,
    roundTrips: () => roundTrips,
    swallow: (which: 'open' | 'and new ones' = 'open') => {
      for (const socket of clients) swallowed.add(socket)
      swallowsNew = which === 'and new ones'
    },
    deliver: () => {
      swallowsNew = false
    },
    close: () => {
      proxy.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}
