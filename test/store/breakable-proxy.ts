import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/**
 * A proxy to PostgreSQL that can break at the worst moment: after the commit, before its acknowledgement.
 * `arm()` cuts the connection at the next COMMIT.
 */
export async function startBreakableProxy(url: string) {
  const server = new URL(url)
  const port = Number(server.port)
  let armed = false
  const sockets = new Set<Socket>()
  const proxy = createServer(client => {
    const upstream = connect(port, server.hostname)
    let committing = false
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => sockets.delete(socket))
    }
    client.on('data', data => {
      committing ||= armed && data.includes('commit\0')
      upstream.write(data)
    })
    upstream.on('data', data => {
      // The server's acknowledgement of the commit; it must not get through.
      if (!committing || !data.includes('COMMIT\0')) return client.write(data)
      armed = false
      client.destroy()
      return upstream.destroy()
    })
    client.on('end', () => upstream.end())
    upstream.on('end', () => client.end())
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const address = proxy.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  server.port = String(address.port)
  return {
    url: server.href,
    arm: () => {
      armed = true
    },
    wasCut: () => !armed,
    close: () => {
      proxy.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}
