import { once } from 'node:events'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

const checkEvery = 50

/**
 * Closes a server as soon as the calls under way are answered. Node alone would also wait for connections that have
 * sent nothing yet, as browsers open them in advance, and for those whose reply ended just after it looked.
 */
export function createGracefulClose(server: Server, graceful = 5_000): () => Promise<void> {
  const silent = new Set<Socket>()
  server.on('secureConnection', watch)
  server.on('connection', watch)
  server.on('request', ({ socket }: IncomingMessage) => forget.call(socket))
  return close

  function watch(socket: Socket) {
    silent.add(socket)
    socket.on('close', forget)
  }

  // One function for all connections: a closure for each is memory for each.
  function forget(this: Socket) {
    if (silent.delete(this)) this.off('close', forget)
  }

  async function close() {
    const closed = once(server, 'close')
    server.prependListener('request', (_: IncomingMessage, response: ServerResponse) => {
      response.shouldKeepAlive = false
    })
    server.close()
    const checking = setInterval(closeUnused, checkEvery)
    const giveUp = setTimeout(() => server.closeAllConnections(), graceful)
    closeUnused()
    await closed
    clearInterval(checking)
    clearTimeout(giveUp)
  }

  function closeUnused() {
    server.closeIdleConnections()
    for (const socket of silent) if (socket.bytesRead === 0) socket.destroy()
  }
}
