import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { classify, type Decision, decide, type UserRule } from '../guard/index.ts'
import type { AskInput } from '../protocol/ask.ts'
import type { Facts } from '../protocol/facts.ts'
import type { Rule } from '../protocol/rule.ts'
import { digestOfAction } from './action-digest.ts'
import { commandLine } from './command-line.ts'
import { takeFacts } from './take-facts.ts'
import { type CommandContext, guardOptions } from './workspace.ts'

/** What a door asks the hub for: the action, what it knows about it, and what its own guard says. */
export type ApprovalAction = Extract<AskInput, { kind: 'approval' }>['action']

/** What would be run, what the guard and people's rules say about it, and what a yes to it is bound to. */
export interface Plan {
  readonly argv: readonly string[]
  readonly command: string
  readonly decision: Decision<UserRule | Rule>
  readonly facts: Facts
  /** As the hub computes it, from the facts of this moment. */
  readonly digest: string
  readonly action: ApprovalAction
}

/** Parses the command once: everything about it follows from that one classification. */
export function planCommand(
  words: readonly string[],
  surroundings: CommandContext,
  rules: readonly (UserRule | Rule)[],
): Plan {
  const command = commandLine(words)
  const { cwd, env } = surroundings
  const classification = classify(command, guardOptions(surroundings))
  const facts = takeFacts(words, surroundings, classification.segments)
  const what = { command, cwd, facts, ...(words.length === 1 ? {} : { argv: [...words] }) }
  const digest = digestOfAction(what)
  const decision = decide(classification, { command, cwd, digest }, rules)
  const { severity, reasons } = decision
  return {
    argv: words.length === 1 ? [shellIn(env), '-c', command] : words,
    command,
    decision,
    facts,
    digest,
    action: { ...what, severity, reasons: reasons.slice(0, maxSaid).map(shown) },
  }
}

const maxSaid = 50

function shown({ rule, message, span: [from, to] }: Decision<UserRule>['reasons'][number]) {
  return { rule, message, span: [from, to] as [number, number] }
}

/** The guard reads a command line as bash does, so bash runs it where there is one. */
function shellIn(env: NodeJS.ProcessEnv): string {
  for (const folder of (env.PATH ?? '').split(delimiter)) {
    try {
      accessSync(join(folder, 'bash'), constants.X_OK)
      return 'bash'
    } catch {}
  }
  return 'sh'
}
