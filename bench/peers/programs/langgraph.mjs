import { Annotation, Command, END, interrupt, START, StateGraph } from '@langchain/langgraph'
import { questionOf } from './question.mjs'

/** LangGraph: the question is an interrupt, kept by the checkpointer; resuming the thread is the answer. */
export async function openPeer({ database, onResume }) {
  const checkpointer = await openCheckpointer(database)
  const graph = new StateGraph(Annotation.Root({ question: Annotation, answer: Annotation }))
    .addNode('agent', askPerson)
    .addEdge(START, 'agent')
    .addEdge('agent', END)
    .compile({ checkpointer })
  return { ask, answer, close: async () => checkpointer.end?.() }

  function askPerson({ question }, { configurable }) {
    const answer = interrupt({ question })
    onResume(configurable.thread_id)
    return { answer }
  }

  async function ask(n) {
    const id = `thread-${process.pid}-${n}`
    await graph.invoke({ question: questionOf(n) }, thread(id))
    return id
  }

  async function answer(id) {
    await graph.invoke(new Command({ resume: 'PostgreSQL' }), thread(id))
  }
}

async function openCheckpointer(database) {
  if (database.startsWith('postgres')) {
    const { PostgresSaver } = await import('@langchain/langgraph-checkpoint-postgres')
    const saver = PostgresSaver.fromConnString(database)
    await saver.setup()
    return saver
  }
  const { SqliteSaver } = await import('@langchain/langgraph-checkpoint-sqlite')
  return SqliteSaver.fromConnString(database)
}

function thread(id) {
  return { configurable: { thread_id: id } }
}
