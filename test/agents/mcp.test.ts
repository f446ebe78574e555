import { describe, expect, it } from 'vitest'
import { createAgentSandbox, type Kind, kinds, until } from './harness.ts'
import type { Turn } from './script.ts'

// The host cuts a call off after eight seconds. Claude tells its server; the others need a shorter --wait.
const limit = 8_000
const waits: Record<Kind, { args: string[]; tickets: number }> = {
  claude: { args: [], tickets: 2 },
  codex: { args: ['--wait', '3s'], tickets: 3 },
  opencode: { args: ['--wait', '3s'], tickets: 3 },
  gemini: { args: ['--wait', '3s'], tickets: 3 },
}

describe.each(kinds)('%s connected by MCP to a hub in another place', kind => {
  const { args, tickets } = waits[kind]

  it('carries on with the answer of a person, and waits for one longer than its host lets a call wait', async () => {
    const sandbox = await createAgentSandbox()
    const agent = await sandbox.agent(kind)
    const running = await agent.start({
      prompt: 'Choose a database and a region',
      mcp: { limit, args },
      turns: [
        ({ mcp }) => mcp('ask', { questions: [question('Which database?', ['SQLite', 'PostgreSQL'])] }),
        ({ mcp }) => mcp('ask', { questions: [question('Which region?', ['north', 'south'])] }),
        ...Array<Turn>(30).fill(waitOrTell),
      ],
    })
    const database = await sandbox.pending('Which database?', running)
    await sandbox.answer(database.id, 'PostgreSQL')
    const region = await sandbox.pending('Which region?', running)
    // Answered only when its waits have taken longer than one call may take.
    await until(() => running.results().length > tickets, `${tickets} tickets`, 60_000)
    await sandbox.answer(region.id, 'south')
    const { code, output } = await running.finished

    const { unknown, violations } = running.model
    expect({ code, unknown, violations }, output).toEqual({ code: 0, unknown: [], violations: [] })
    const [first, ...later] = running.results().map(documentIn)
    expect(first).toMatchObject({
      id: database.id,
      status: 'answered',
      value: 'PostgreSQL',
      by: 'person',
      channel: 'cli',
    })
    expect(later.slice(0, tickets)).toEqual(Array(tickets).fill(ticketOf(region.id)))
    expect(later.at(-1)).toMatchObject({ id: region.id, status: 'answered', value: 'south' })
    expect(output).toContain('I use south.')
    expect((await sandbox.hub.list()).requests).toEqual([])
  })
})

function question(text: string, options: string[]) {
  return { question: text, header: 'Choice', options: options.map(label => ({ label })) }
}

const waitOrTell: Turn = ({ mcp, results }) => {
  const { id, status, value } = documentIn(results.at(-1) ?? '')
  return status === 'pending' ? mcp('wait', { id }) : { text: `I use ${value}.` }
}

/** The result of a tool: hosts put words of their own around it. */
function documentIn(result: string): { id?: string; status?: string; value?: string } {
  return JSON.parse(/\{[\s\S]*\}/.exec(result)?.[0] ?? '{}')
}

function ticketOf(id: string) {
  return { id, status: 'pending', next: `Not an answer. Call wait with ${JSON.stringify({ id })}.` }
}
