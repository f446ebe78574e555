import { hash } from 'node:crypto'

/** What is known about a command before it runs. */
export interface Verdict {
  readonly verdict: 'allow' | 'ask' | 'deny'
  readonly severity: 'none' | 'low' | 'medium' | 'high' | 'critical'
  readonly reasons: readonly {
    readonly rule: string
    readonly message: string
    readonly span: readonly [number, number]
  }[]
  readonly safer: string | null
}

/** The guard, as the agent needs it. */
export type Classify = (command: string, place: GuardedPlace) => Verdict

interface GuardedPlace {
  readonly cwd: string
  readonly workspace: string
  readonly home: string
  readonly shell: string
  readonly env: NodeJS.ProcessEnv
}

/** Where there is no guard, a person sees every command. */
export const askAlways: Classify = command => ({
  verdict: 'ask',
  severity: 'medium',
  reasons: [{ rule: 'agent.no-guard', message: 'No guard has looked at this command.', span: [0, command.length] }],
  safer: null,
})

/** A yes is for exactly this, there. */
export function digestOf(tool: string, command: string, cwd: string): string {
  return hash('sha256', JSON.stringify([tool, command, cwd]), 'base64url')
}
