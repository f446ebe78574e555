import { appendFile, rm } from 'node:fs/promises'
import { Annotation, Command, END, interrupt, START, StateGraph } from '@langchain/langgraph'
import { openHub } from 'beckon'
import { answerInterrupts } from 'beckon/langgraph'
import { FileSaver } from './file-saver.mjs'

// Two nodes ask at the same time; each goes on with its own answer. No model is needed.
//   npm install beckon @langchain/langgraph @langchain/core
//   node langgraph.mjs

const thread = 'release-42'
const config = { configurable: { thread_id: thread } }
const file = `${thread}.graph`

function ask(question, options) {
  return async () => {
    const answer = interrupt({ question, options })
    // 'answered', 'declined', 'expired', 'skipped' … are different things.
    const said = answer.status === 'answered' ? answer.value : `${answer.status} (${answer.reason ?? 'no reason'})`
    await appendFile('answers.log', `${question} ${said}\n`)
    return { said: [said] }
  }
}

const State = Annotation.Root({ said: Annotation({ reducer: (a, b) => a.concat(b), default: () => [] }) })
const graph = new StateGraph(State)
  .addNode('where', ask('Where to?', ['staging', 'production']))
  .addNode('note', ask('What do the release notes say?'))
  .addEdge(START, 'where')
  .addEdge(START, 'note')
  .addEdge('where', END)
  .addEdge('note', END)
  // Any checkpointer that survives the program; SqliteSaver or PostgresSaver in production.
  .compile({ checkpointer: new FileSaver(file) })

const hub = await openHub()
let state = await graph.getState(config)
if (state.next.length === 0) await graph.invoke({ said: [] }, config)

for (;;) {
  state = await graph.getState(config)
  const answers = await answerInterrupts(hub, state, { thread })
  if (!answers) break
  // Killed here, the next start gets the same answers.
  await graph.invoke(new Command(answers), config)
}

console.log(state.values.said.join(', '))
await rm(file)
await hub.close()
