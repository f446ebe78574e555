import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface DatabaseProxy {
  port: number
  /** Ends every connection, but those that are swallowed: nobody is ever told about them. */
  cut(): void
  /** Ends a connection after its next commit, before the acknowledgement gets through. */
  cutAtCommit(): void
  /** From now on, nothing gets through the present connections in either direction, and nobody is told. */
  swallow(): void
  close(): void
}

interface Link {
  client: Socket
  server: Socket
  swallowed: boolean
  committing: boolean
}

// A server with keepalives notices a dead client after about this time.
const serverNotices = 20_000

/** The way from the nodes to PostgreSQL, wherever that is now: a network that fails in the ways that networks do. */
export async function startDatabaseProxy(target: () => number): Promise<DatabaseProxy> {
  const links = new Set<Link>()
  let armed = false
  const proxy = createServer(accept).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  return { port: (proxy.address() as AddressInfo).port, cut, cutAtCommit, swallow, close }

  function accept(client: Socket) {
    const link = { client, server: connect(target(), '127.0.0.1'), swallowed: false, committing: false }
    links.add(link)
    for (const socket of [client, link.server]) {
      socket.setNoDelay()
      socket.on('error', () => {})
      socket.on('close', () => {
        if (!link.swallowed) end(link)
      })
    }
    client.on('data', bytes => {
      if (link.swallowed) return
      link.committing ||= armed && bytes.includes('commit\0')
      link.server.write(bytes)
    })
    link.server.on('data', bytes => {
      if (link.swallowed) return
      if (link.committing && bytes.includes('COMMIT\0')) {
        armed = false
        return end(link)
      }
      client.write(bytes)
    })
  }

  function end(link: Link) {
    links.delete(link)
    link.client.destroy()
    link.server.destroy()
  }

  function cut() {
    for (const link of links) if (!link.swallowed) end(link)
  }

  function cutAtCommit() {
    armed = true
  }

  function swallow() {
    for (const link of links) {
      if (link.swallowed) continue
      link.swallowed = true
      setTimeout(() => link.server.destroy(), serverNotices).unref()
      // What the client gave up on is forgotten.
      link.client.on('close', () => links.delete(link))
    }
  }

  function close() {
    proxy.close()
    for (const link of links) end(link)
  }
}
