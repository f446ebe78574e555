// What the pages take for granted around their snippets of TypeScript: names that the text has introduced, and packages
// that users have and we do not install.
export const surroundings = `declare const hub: Awaited<ReturnType<typeof import('beckon').openHub>>
declare const id: string
declare const thread: string
declare const token: string
declare const test: Awaited<ReturnType<typeof import('beckon/testing').openTestHub>>
declare const earlier: import('beckon').Earlier['earlier']

// Around frameworks, whatever the reader has.
declare const agent: any
declare const audit: unknown
declare const child: import('node:child_process').ChildProcessByStdio<null, import('node:stream').Readable, null>
declare const config: any
declare const deploy: any
declare const explain: (text: string) => Promise<string>
declare const generateText: typeof import('ai').generateText
declare const graph: any
declare const messages: import('ai').ModelMessage[]
declare const model: import('ai').LanguageModel
declare const output: string
declare const prompt: string
declare const run: any
declare const start: (environment: string) => Promise<string>
declare const store: (messages: unknown) => Promise<void>
declare const tool: <P extends import('zod').ZodType>(options: {
  name: string
  description: string
  parameters: P
  needsApproval: boolean
  execute: (input: import('zod').infer<P>) => unknown
}) => unknown
declare const z: typeof import('zod')
declare const writeFile: typeof import('node:fs/promises').writeFile

declare module '@anthropic-ai/claude-agent-sdk'
declare module '@langchain/langgraph'
declare module '@openai/agents'
`
