import { describe, expect, it } from 'vitest'
import { createAgentSandbox, kinds, until } from './harness.ts'
import type { Turn } from './script.ts'

describe.each(kinds)('%s connected by MCP to a hub in another place', kind => {
  it('asks, carries on with the answer of a person, and picks up what it could not wait for', async () => {
    const sandbox = await createAgentSandbox()
    const agent = await sandbox.agent(kind)
    const running = await agent.start({
      prompt: 'Choose a database and a region',
      // The host would cut a call off after ten seconds.
      mcp: { limit: 10_000, ...(kind === 'claude' ? {} : { args: ['--wait', '2s'] }) },
      turns: [
        ({ mcp }) => mcp('ask', { questions: [question('Which database?', ['SQLite', 'PostgreSQL'])] }),
        ({ mcp }) => mcp('ask', { questions: [question('Which region?', ['north', 'south'])] }),
        ...Array<Turn>(20).fill(waitOrTell),
      ],
    })

    const database = await sandbox.pending()
    expect(database).toMatchObject({ kind: 'question', status: 'pending' })
    await sandbox.answer(database.id, 'PostgreSQL')

    // The second question is answered only after the model was given a ticket.
    const ticket = await until(() => running.results()[1], 'a ticket', 30_000)
    expect(ticket).toContain('pending')
    const region = await sandbox.pending()
    expect(ticket).toContain(region.id)
    await sandbox.answer(region.id, 'south')

    const { code, output } = await running.finished
    expect({ code, unknown: running.model.unknown }, output).toEqual({ code: 0, unknown: [] })
    expect(running.results()[0]).toContain('PostgreSQL')
    expect(running.results().at(-1)).toContain('south')
    expect(output).toContain('I use south.')
    expect((await sandbox.hub.list({ status: 'pending' })).requests).toEqual([])
  })
})

function question(text: string, options: string[]) {
  return { question: text, header: 'Choice', options: options.map(label => ({ label })) }
}

const waitOrTell: Turn = ({ mcp, results }) => {
  const last = results.at(-1) ?? ''
  if (last.includes('pending')) return mcp('wait', { id: /req_\w+/.exec(last)?.[0] })
  return { text: `I use ${/north|south/.exec(last)?.[0]}.` }
}
