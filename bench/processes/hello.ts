import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { Hono } from 'hono'

// The smallest possible server: node:http and the bare framework return a constant.
const app = new Hono()
app.get('/hello', c => c.json({ hello: 'world' }))
const hono = getRequestListener(app.fetch)
const server = createServer((request, response) => {
  if (request.url === '/hello') return void hono(request, response)
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': 17 })
  response.end('{"hello":"world"}')
})
server.keepAliveTimeout = 75_000
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }))
process.on('message', () => process.exit())
process.on('disconnect', () => process.exit())
