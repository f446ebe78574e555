import chatPrompt from './chat.md'
import agentPrompt from './prompt.md'

export interface PromptContext {
  readonly mode: 'agent' | 'chat'
  readonly cwd: string
  readonly path: readonly string[]
  readonly today: string
}

/** The system prompt. */
export function instructionsFor({ mode, cwd, path, today }: PromptContext): string {
  const facts = [`Workspace: ${cwd}`, `Platform: ${process.platform}`, `Today: ${today}`]
  const sub =
    path.length > 1
      ? [
          `You are the sub-agent "${path.at(-1)}". Your last message goes to the agent that called you, not to the user.`,
        ]
      : []
  const body = mode === 'chat' ? chatPrompt : agentPrompt
  return [body.trim(), ...sub, facts.join('\n')].join('\n\n')
}
