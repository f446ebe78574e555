import { appendFileSync } from 'node:fs'
import { BaseChatModel } from '@langchain/core/language_models/chat_models'
import { AIMessage } from '@langchain/core/messages'
import { tool } from '@langchain/core/tools'
import { Command } from '@langchain/langgraph'
import { openHub } from 'beckon'
import { answerInterrupts } from 'beckon/langgraph'
import { createAgent, humanInTheLoopMiddleware } from 'langchain'
import * as z from 'zod'
import { FileSaver } from './file-saver.mjs'

// An agent of LangChain with its own middleware for approvals, and a model that calls a tool twice in each of two turns.

const environments = ['preview', 'production']

class Scripted extends BaseChatModel {
  _llmType() {
    return 'scripted'
  }

  bindTools() {
    return this
  }

  async _generate(messages) {
    const turn = messages.filter(message => message.getType() === 'ai').length
    const calls = environments.map(environment => ({
      id: `call_${turn}_${environment}`,
      name: 'deploy',
      args: { environment },
    }))
    const message =
      turn < 2
        ? new AIMessage({ content: '', tool_calls: calls })
        : new AIMessage(messages.map(({ content }) => content).join('\n'))
    return { generations: [{ message, text: '' }] }
  }
}

const deploy = tool(
  ({ environment }) => {
    appendFileSync('deployed.log', `${environment}\n`)
    return `Deployed to ${environment}.`
  },
  { name: 'deploy', description: 'Deploys the shop.', schema: z.object({ environment: z.string() }) },
)

const thread = 'release-42'
const config = { configurable: { thread_id: thread } }
const agent = createAgent({
  model: new Scripted({}),
  tools: [deploy],
  middleware: [humanInTheLoopMiddleware({ interruptOn: { deploy: true } })],
  checkpointer: new FileSaver('agent.graph'),
})

const hub = await openHub()
const { next } = await agent.graph.getState(config)
if (next.length === 0) await agent.invoke({ messages: [{ role: 'user', content: 'Deploy.' }] }, config)
for (;;) {
  const answers = await answerInterrupts(hub, await agent.graph.getState(config), { thread })
  if (!answers) break
  // Killed here, the next start gets the same answers.
  await agent.invoke(new Command(answers), config)
}
const { values } = await agent.graph.getState(config)
console.log(values.messages.at(-1).content)
await hub.close()
