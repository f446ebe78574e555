import { join } from 'node:path'
import { expect, it } from 'vitest'
import { startServer } from '../server/test-server.ts'
import { temporaryFolder } from '../setup/databases.ts'

/** Lets the server carry the first call out, and loses its reply. */
function losingFirstReply(part: string): typeof fetch {
  let lost = false
  return async (input, init) => {
    const response = await fetch(input, init)
    if (lost || !String(input).includes(part)) return response
    lost = true
    await response.arrayBuffer()
    throw new TypeError('fetch failed')
  }
}

it('a yes is not burnt by a reply that is lost', async () => {
  const server = await startServer(join(temporaryFolder(), 'beckon.db'))
  const agent = await server.client('ask', { fetch: losingFirstReply('/value') })
  const { id } = await agent.raise({
    kind: 'approval',
    action: { command: 'git stash drop', cwd: '/work', digest: 'd' },
  })
  await server.hub.answer(id, { value: 'yes' })
  expect((await agent.use(id)).request.usedAt).not.toBeNull()
  await expect(agent.use(id)).rejects.toMatchObject({ code: 'used' })
})

it('a secret is not burnt by a reply that is lost, and its seal is deleted once it has arrived', async () => {
  const server = await startServer(join(temporaryFolder(), 'beckon.db'))
  const agent = await server.client('ask', { fetch: losingFirstReply('/value') })
  const { id } = await agent.raise({ kind: 'dependency', type: 'api_key', name: 'KEY', description: 'for a test' })
  await server.hub.answer(id, { value: 'sk-0123456789' })
  expect((await agent.use(id, { nonce: 'mine' })).value).toBe('sk-0123456789')
  await expect(agent.use(id, { nonce: 'mine' })).rejects.toMatchObject({ code: 'used' })
})
