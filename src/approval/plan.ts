import { classify, type Decision, decide, type UserRule } from '../guard/index.ts'
import type { AskInput } from '../protocol/ask.ts'
import type { Facts } from '../protocol/facts.ts'
import type { CommandRule } from '../protocol/rule.ts'
import { applicableRules } from '../rules/redirected.ts'
import { digestOfAction } from './action-digest.ts'
import { commandLine } from './command-line.ts'
import type { Hmac } from './facts/hmac.ts'
import { findProgram, shellFor } from './facts/programs.ts'
import { judgingOptions } from './judging-options.ts'
import { takeFacts } from './take-facts.ts'
import type { CommandContext } from './workspace.ts'

/** What a door asks the hub for: the action, what it knows about it, and what its own guard says. */
export type ApprovalAction = Extract<AskInput, { kind: 'approval' }>['action']

/** What would be run, what the guard and people's rules say about it, and what a yes to it is bound to. */
export interface Plan {
  readonly argv: readonly string[]
  /** Where the program of `argv` was found: this very file is started. */
  readonly program: string | null
  readonly command: string
  readonly decision: Decision<UserRule | CommandRule>
  readonly facts: Facts
  /** As the hub computes it, from the facts of this moment. */
  readonly digest: string
  readonly action: ApprovalAction
}

/** Parses the command once: everything about it follows from that one classification. */
export function planCommand(
  words: readonly string[],
  surroundings: CommandContext,
  rules: readonly (UserRule | CommandRule)[],
  hmac: Hmac,
): Plan {
  const command = commandLine(words)
  const { cwd, env } = surroundings
  const classification = classify(command, judgingOptions(surroundings))
  const facts = takeFacts(words, surroundings, classification, hmac)
  const what = { command, cwd, facts, ...(words.length === 1 ? {} : { argv: [...words] }) }
  const digest = digestOfAction(what)
  const decision = decide(classification, { command, cwd, digest }, applicableRules(rules, facts))
  const { severity, reasons } = decision
  const argv = words.length === 1 ? [shellFor(cwd, env), '-c', command] : words
  return {
    argv,
    program: findProgram(argv[0] ?? '', cwd, env.PATH)?.found ?? null,
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
