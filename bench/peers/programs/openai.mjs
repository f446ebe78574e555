import { Agent, RunState, run, setTracingDisabled, tool, Usage } from '@openai/agents'
import Database from 'better-sqlite3'
import { z } from 'zod'
import { questionOf } from './question.mjs'

/**
 * OpenAI Agents: a tool call that needs an approval interrupts the run. Its serialised state is stored, as their guide to
 * approvals that take long shows; here in SQLite with synchronous = FULL, because they bring no store of their own.
 */
export async function openPeer({ database, onResume }) {
  setTracingDisabled(true)
  const store = openStore(database)
  const agent = new Agent({ name: 'asker', model: scriptedModel(), tools: [deployTool(onResume)] })
  return { ask, answer, close: async () => store.close() }

  async function ask(n) {
    const id = `run-${process.pid}-${n}`
    const result = await run(agent, questionOf(id))
    if (result.interruptions.length !== 1) throw new Error('the run was not interrupted')
    store.insert(id, result.state.toString())
    return id
  }

  async function answer(id) {
    const state = await RunState.fromString(agent, store.stateOf(id))
    for (const interruption of state.getInterruptions()) state.approve(interruption)
    await run(agent, state)
    store.finish(id)
  }
}

function openStore(file) {
  const db = new Database(file)
  db.pragma('journal_mode = WAL')
  db.pragma('synchronous = FULL')
  db.exec('create table if not exists runs (id text primary key, status text not null, state text not null)')
  const insert = db.prepare(`insert into runs values (?, 'waiting', ?)`)
  const select = db.prepare(`select state from runs where id = ? and status = 'waiting'`).pluck()
  const finish = db.prepare(`update runs set status = 'done' where id = ?`)
  return {
    insert: (id, state) => insert.run(id, state),
    stateOf: id => select.get(id),
    finish: id => finish.run(id),
    close: () => db.close(),
  }
}

function deployTool(onResume) {
  return tool({
    name: 'choose_database',
    description: 'Chooses the database of a service',
    parameters: z.object({ id: z.string() }),
    needsApproval: true,
    execute: async ({ id }) => {
      onResume(id)
      return 'PostgreSQL'
    },
  })
}

/** Calls the tool once, and ends the run when it has the tool's output. */
function scriptedModel() {
  return {
    async getResponse({ input }) {
      const isResumed = typeof input !== 'string' && input.some(({ type }) => type === 'function_call_result')
      return { usage: new Usage(), output: isResumed ? [message()] : [call(idIn(input))] }
    },
    getStreamedResponse() {
      throw new Error('this model does not stream')
    },
  }
}

function message() {
  const content = [{ type: 'output_text', text: 'Chosen.' }]
  return { id: 'msg_1', type: 'message', role: 'assistant', status: 'completed', content }
}

function call(id) {
  const args = JSON.stringify({ id })
  return {
    id: 'fc_1',
    type: 'function_call',
    callId: `call-${id}`,
    name: 'choose_database',
    status: 'completed',
    arguments: args,
  }
}

function idIn(input) {
  const text = typeof input === 'string' ? input : JSON.stringify(input)
  return /run-\d+-\d+/.exec(text)[0]
}
