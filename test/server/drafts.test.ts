import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../setup/databases.ts'
import { call, signIn, startServer } from './test-server.ts'

const why = { questions: [{ question: 'Why?' }] }
const draft = { answers: [{ id: 'q1', text: 'half a sen' }] }

describe('drafts over HTTP', () => {
  it('are neither shown to an agent or a supervisor nor written by one, even on their own request', async () => {
    const server = await startServer(join(temporaryFolder(), 'beckon.db'))
    for (const scope of ['ask', 'run'] as const) {
      const token = await server.token(scope, { name: 'ada' })
      const { id } = (await call(server, 'POST', '/api/requests', { token, body: why })).json
      await server.hub.drafts.save(id, { ...draft, by: 'ada' })
      const calls: [string, string, object?][] = [
        ['GET', 'draft'],
        ['PUT', 'draft', draft],
        ['DELETE', 'draft', {}],
        ['GET', 'drafts'],
        ['PUT', 'drafts/discard', { by: 'ada' }],
      ]
      for (const [method, path, body] of calls) {
        const { status, text } = await call(server, method, `/api/requests/${id}/${path}`, { token, body })
        expect([scope, method, path, status]).toEqual([scope, method, path, 403])
        expect(text).not.toContain('half a sen')
      }
      expect((await call(server, 'GET', `/api/requests/${id}`, { token })).text).not.toContain('half a sen')
      expect(await server.hub.drafts.all(id, { by: 'bo' })).toMatchObject({ others: [{ by: 'ada' }] })
    }
  })

  it('belong to the person who signed in, whatever name a page sends', async () => {
    const server = await startServer(join(temporaryFolder(), 'beckon.db'))
    const { id } = await server.hub.raise(why)
    await server.hub.drafts.save(id, { ...draft, by: 'ada' })
    const headers = { cookie: await signIn(server, 'answer', 'mina'), origin: server.url }
    const saved = await call(server, 'PUT', `/api/requests/${id}/draft`, {
      headers,
      body: { answers: [{ id: 'q1', text: 'hers' }], by: 'ada' },
    })
    expect(saved.json.draft).toMatchObject({ by: 'mina', answers: [{ text: 'hers' }] })
    const { json } = await call(server, 'GET', `/api/requests/${id}/drafts?by=ada`, { headers })
    expect(json).toMatchObject({ own: { by: 'mina' }, others: [{ by: 'ada', answers: [{ text: 'half a sen' }] }] })
    await call(server, 'DELETE', `/api/requests/${id}/draft`, { headers, body: {} })
    expect(await server.hub.drafts.all(id, { by: 'mina' })).toMatchObject({ own: null, others: [{ by: 'ada' }] })
  })

  it("belong to the user that a person's program names, else to its token", async () => {
    const server = await startServer(join(temporaryFolder(), 'beckon.db'))
    const { id } = await server.hub.raise(why)
    const token = await server.token('answer', { name: 'laptop' })
    const put = (body: object) => call(server, 'PUT', `/api/requests/${id}/draft`, { token, body })
    expect((await put(draft)).json.draft).toMatchObject({ by: 'laptop' })
    expect((await put({ ...draft, by: 'mina' })).json.draft).toMatchObject({ by: 'mina' })
    const all = (query: string) => call(server, 'GET', `/api/requests/${id}/drafts${query}`, { token })
    expect((await all('')).json).toMatchObject({ own: { by: 'laptop' }, others: [{ by: 'mina' }] })
    expect((await all('?by=mina')).json).toMatchObject({ own: { by: 'mina' }, others: [{ by: 'laptop' }] })
  })
})
