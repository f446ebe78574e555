import { DBOS } from '@dbos-inc/dbos-sdk'
import { questionOf } from './question.mjs'

/** DBOS: a workflow publishes its question as an event and waits in `recv`; sending it a message is the answer. */
export async function openPeer({ database, onResume }) {
  const asked = new Map()
  const ended = new Map()
  const workflow = DBOS.registerWorkflow(asking, { name: 'asking' })
  DBOS.setConfig({ name: 'bench', systemDatabaseUrl: database, systemDatabasePoolSize: 20, logLevel: 'error' })
  await DBOS.launch()
  return { ask, answer, close: () => DBOS.shutdown() }

  async function asking(question) {
    const id = DBOS.workflowID
    await DBOS.setEvent('question', question)
    const answer = DBOS.recv('answer', { timeoutSeconds: 3600 })
    asked.get(id)?.()
    await answer
    onResume(id)
    ended.get(id)?.()
    return 'done'
  }

  async function ask(n) {
    const id = `workflow-${process.pid}-${n}`
    const isAsked = new Promise(resolve => asked.set(id, resolve))
    await DBOS.startWorkflow(workflow, { workflowID: id })(questionOf(n))
    await isAsked
    asked.delete(id)
    return id
  }

  async function answer(id) {
    const isEnded = new Promise(resolve => ended.set(id, resolve))
    await DBOS.send(id, 'PostgreSQL', 'answer')
    await isEnded
    ended.delete(id)
  }
}
