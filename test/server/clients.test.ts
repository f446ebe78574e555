import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { requestSchema } from '../../src/protocol/index.ts'
import { temporaryFolder } from '../setup/databases.ts'
import { startServer, type TestServer } from './serving.ts'

const run = promisify(execFile)
const examples = join(import.meta.dirname, '../../examples/http')

function start(): Promise<TestServer> {
  return startServer(join(temporaryFolder(), 'beckon.db'))
}

async function firstPending({ hub }: TestServer): Promise<string> {
  for await (const event of hub.follow({ since: 0 })) if (event.request) return event.request
  return ''
}

it('is asked from Python and answered with curl', async () => {
  const server = await start()
  const env = async (scope: 'ask' | 'answer') => ({
    PATH: process.env.PATH,
    BECKON_URL: server.url,
    BECKON_TOKEN: await server.token(scope, { name: scope }),
  })
  const asking = run('python3', [join(examples, 'ask.py'), 'Ship it?', 'yes', 'no'], { env: await env('ask') })
  const id = await firstPending(server)
  const answered = await run(join(examples, 'answer.sh'), ['yes'], { env: await env('answer') })
  expect(requestSchema.parse(JSON.parse(answered.stdout))).toMatchObject({ id, status: 'answered' })
  expect((await asking).stdout).toBe('yes\n')
  expect((await server.hub.get(id)).deliveredAt).not.toBeNull()
})

it('tells Python why it was declined, and curl that nothing waits', async () => {
  const server = await start()
  const ask = { BECKON_URL: server.url, PATH: process.env.PATH, BECKON_TOKEN: await server.token('ask') }
  const asking = run('python3', [join(examples, 'ask.py'), 'Ship it?'], { env: ask })
  const failing = expect(asking).rejects.toMatchObject({ code: 1, stderr: 'declined by owner: not today\n' })
  await server.hub.decline(await firstPending(server), { reason: 'not today' })
  await failing
  const answer = { ...ask, BECKON_TOKEN: await server.token('answer') }
  await expect(run(join(examples, 'answer.sh'), ['yes'], { env: answer })).rejects.toMatchObject({
    stderr: 'No requests are waiting.\n',
  })
})
