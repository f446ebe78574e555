import chatPrompt from './chat.md'
import planPrompt from './plan-mode.md'
import agentPrompt from './prompt.md'

export interface PromptContext {
  readonly mode: 'agent' | 'chat'
  readonly cwd: string
  readonly path: readonly string[]
  readonly today: string
}

/** What plan mode adds to it. */
export function planInstructionsFor(path: readonly string[]): string {
  return path.length === 1 ? planPrompt.trim() : subAgentPlans
}

const subAgentPlans =
  'The user wants to see a plan first: every tool that may change something is refused. Read and search, and report what you found.'

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
