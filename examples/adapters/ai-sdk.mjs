import { appendFile, readFile, rm, writeFile } from 'node:fs/promises'
import { anthropic } from '@ai-sdk/anthropic'
import { generateText, tool } from 'ai'
import { openHub } from 'beckon'
import { answerApprovals, approvedTools, askHuman } from 'beckon/ai-sdk'
import * as z from 'zod'

// The model deploys, and a person approves each deployment in the inbox first (`beckon inbox`, or `beckon serve`).
//   npm install beckon ai @ai-sdk/anthropic zod
//   ANTHROPIC_API_KEY=… node ai-sdk.mjs "Deploy the shop to staging and production."

const thread = 'release-42'
const file = `${thread}.json`
const hub = await openHub()

const deploy = tool({
  description: 'Deploys the shop.',
  inputSchema: z.object({ environment: z.string() }),
  execute: async ({ environment }) => {
    await appendFile('deployed.log', `${environment}\n`)
    return `Deployed to ${environment}.`
  },
})
const tools = approvedTools(hub, { deploy, askHuman: askHuman(hub, { thread }) }, { thread })

const prompt = process.argv[2] ?? 'Deploy the shop to staging and production.'
const stored = await readFile(file, 'utf8').catch(() => null)
const messages = stored ? JSON.parse(stored) : [{ role: 'user', content: prompt }]

for (;;) {
  const answers = await answerApprovals(hub, messages, { thread })
  if (answers) {
    // Killed here, the next start gets the same answers.
    messages.push(answers)
  }
  const result = await generateText({
    model: anthropic('claude-sonnet-4-5'),
    tools,
    toolApproval: { deploy: 'user-approval' },
    messages,
  })
  messages.push(...result.responseMessages)
  await writeFile(file, JSON.stringify(messages))
  if (result.finishReason !== 'tool-calls') {
    console.log(result.text)
    break
  }
}

await rm(file)
await hub.close()
