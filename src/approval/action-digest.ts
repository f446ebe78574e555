import { hash } from 'node:crypto'
import { canonicalJson, type Facts, type Json } from '../protocol/index.ts'

/** What is approved: a command or a call of a tool, and what the asker's machine knows about it. */
export interface BoundAction {
  readonly command?: string | undefined
  readonly argv?: readonly string[] | undefined
  readonly tool?: string | undefined
  readonly input?: Json | undefined
  readonly cwd: string
  readonly facts?: Facts | undefined
}

/** The digest of exactly this action. A door computes it as the hub does, from facts that it takes again before it acts. */
export function digestOfAction({ command, argv, tool, input, cwd, facts }: BoundAction): string {
  const what = tool === undefined ? { command: command ?? '', argv: argv ?? null } : { tool, input: input ?? null }
  return `sha256-${hash('sha256', canonicalJson({ ...what, cwd, facts: boundFacts(facts) }), 'base64url')}`
}

/** What is only shown is left out. */
function boundFacts(facts: Facts | undefined): Json {
  const { folder = null, files = [], programs = [], environment = [] } = facts ?? {}
  return { folder, files: files.map(({ path, hash }) => ({ path, hash })), programs, environment }
}
