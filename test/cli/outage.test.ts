import { createServer } from 'node:net'
import { expect, it } from 'vitest'
import { createLog } from '../../src/server/log.ts'
import { serve } from '../../src/server/serve.ts'
import { createSandbox, type Sandbox, until } from './sandbox.ts'

async function serveSandbox(sandbox: Sandbox, port = 0) {
  const served = await serve({ hub: sandbox.hub as never, log: createLog('silent'), version: '0', port })
  sandbox.atEnd(() => served.close())
  return served
}

async function person(sandbox: Sandbox, url: string) {
  const { secret } = await sandbox.hub.tokens.create({ scope: 'answer', name: 'person' })
  return { BECKON_URL: url, BECKON_TOKEN: secret }
}

it('says once that the server does not answer, and until when it is tried again', async () => {
  const sandbox = await createSandbox()
  const first = await serveSandbox(sandbox)
  const env = await person(sandbox, first.url)
  const waiting = sandbox.start(['ask', 'Ship it?'], { env: { ...env, BECKON_WAIT: '5m' } })
  const { id } = await sandbox.pending()
  await until(() => waiting.written().stderr.includes(id), 'the wait')
  await first.close()
  const line =
    /^beckon: The server at http:\/\/127\.0\.0\.1:\d+ does not answer; trying again until \d\d:\d\d:\d\d.*\.$/gm
  await until(() => line.test(waiting.written().stderr), 'the line')
  await serveSandbox(sandbox, first.port)
  await sandbox.hub.answer(id, { answers: [{ id: 'q1', selected: [], text: 'yes', note: null }] })
  const { code, stdout, stderr } = await waiting.result
  expect([code, stdout]).toEqual([0, 'yes\n'])
  expect(stderr.match(line)).toHaveLength(1)
})

it('says so too of a server that accepts a call and does not answer it', async () => {
  const sandbox = await createSandbox()
  const deaf = createServer(() => {}).listen(0, '127.0.0.1')
  sandbox.atEnd(() => deaf.close())
  await until(() => deaf.address(), 'the port')
  const { port } = deaf.address() as { port: number }
  const listing = sandbox.start(['list'], { env: await person(sandbox, `http://127.0.0.1:${port}`) })
  await until(() => listing.written().stderr, 'the line')
  expect(listing.written().stderr).toBe(
    `beckon: The server at http://127.0.0.1:${port} does not answer; trying again.\n`,
  )
  listing.child.kill('SIGKILL')
  await listing.result
})
