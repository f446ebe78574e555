import { query } from '@anthropic-ai/claude-agent-sdk'
import { openHub } from 'beckon'
import { canUseTool } from 'beckon/claude-agent-sdk'

// What Claude may not do by itself, and what it asks, waits in the inbox (`beckon inbox`, or `beckon serve`).
//   npm install beckon @anthropic-ai/claude-agent-sdk
//   ANTHROPIC_API_KEY=… node claude-agent-sdk.mjs "Ask me which database to use, then create a file for it."

const thread = 'release-42'
const hub = await openHub()
const prompt = process.argv[2] ?? 'Ask me which database to use, then create a file for it.'

const conversation = query({
  prompt,
  options: {
    canUseTool: canUseTool(hub, { thread }),
    // Claude's own settings could allow what you want to be asked about.
    settingSources: [],
    ...(process.env.CLAUDE_PATH ? { pathToClaudeCodeExecutable: process.env.CLAUDE_PATH } : {}),
    ...(process.env.RESUME ? { resume: process.env.RESUME } : {}),
  },
})

for await (const message of conversation) {
  if (message.type === 'system' && message.subtype === 'init') console.log(`Session ${message.session_id}`)
  if (message.type === 'result') console.log(message.subtype === 'success' ? message.result : message.subtype)
}
await hub.close()
