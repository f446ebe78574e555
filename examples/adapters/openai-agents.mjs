import { appendFile, readFile, rm, writeFile } from 'node:fs/promises'
import { Agent, RunState, run, tool } from '@openai/agents'
import { openHub } from 'beckon'
import { afterApproval, answerInterruptions } from 'beckon/openai-agents'
import * as z from 'zod'

// The model deploys, and a person approves each deployment in the inbox first (`beckon inbox`, or `beckon serve`).
//   npm install beckon @openai/agents zod
//   OPENAI_API_KEY=… node openai-agents.mjs "Deploy the shop to staging and production."

const thread = 'release-42'
const file = `${thread}.state`
const hub = await openHub()

const deploy = tool({
  name: 'deploy',
  description: 'Deploys the shop.',
  parameters: z.object({ environment: z.string() }),
  needsApproval: true,
  execute: afterApproval(hub, { thread }, async ({ environment }) => {
    await appendFile('deployed.log', `${environment}\n`)
    return `Deployed to ${environment}.`
  }),
})
const agent = new Agent({ name: 'Releaser', instructions: 'You release the shop.', tools: [deploy] })

const prompt = process.argv[2] ?? 'Deploy the shop to staging and production.'
const stored = await readFile(file, 'utf8').catch(() => null)
let state = stored ? await RunState.fromString(agent, stored) : null

for (;;) {
  if (state) {
    await answerInterruptions(hub, state, { thread, save: text => writeFile(file, text) })
    // Killed here, the next start gets the same answers.
  }
  const result = await run(agent, state ?? prompt)
  if (result.interruptions.length === 0) {
    console.log(result.finalOutput)
    break
  }
  state = result.state
}

await rm(file, { force: true })
await hub.close()
