import { alwaysFor, classify, type Decision, decide, type Segment, type UserRule } from '../guard/index.ts'
import type { Facts } from '../protocol/facts.ts'
import type { Rule } from '../protocol/rule.ts'
import { redirectingVariables } from '../rules/redirected.ts'
import { type ApprovalAction, actionFor, maxShown } from './action.ts'
import { commandLine, quoteWords } from './command-line.ts'
import { type Binding, bindCommand } from './digest.ts'
import type { Hmac } from './facts/hmac.ts'
import { findProgram, shellFor } from './facts/programs.ts'
import { type CommandContext, guardOptions } from './workspace.ts'

/** What would be run, what the guard and people's rules say about it, and what a yes to it is bound to. */
export interface Plan extends Binding {
  readonly argv: readonly string[]
  /** Where the program of `argv` was found: this very file is started. */
  readonly program: string | null
  readonly command: string
  readonly decision: Decision<UserRule | Rule>
  readonly action: ApprovalAction
}

/** Parses the command once: everything about it follows from that one classification. */
export function planCommand(
  words: readonly string[],
  surroundings: CommandContext,
  rules: readonly (UserRule | Rule)[],
  hmac: Hmac,
): Plan {
  const command = commandLine(words)
  const { cwd, env } = surroundings
  const options = guardOptions(surroundings)
  const classification = classify(command, options)
  const binding = bindCommand(words, surroundings, classification.segments, hmac)
  const decision = decide(classification, { command, cwd, digest: binding.digest }, applicable(rules, binding.facts))
  const action: ApprovalAction = {
    ...actionFor(command, cwd, decision, binding),
    starts: startsOf(decision.segments, command),
    always: alwaysFor(decision, options.workspace),
  }
  const argv = words.length === 1 ? [shellFor(cwd, env), '-c', command] : words
  const program = findProgram(argv[0] ?? '', cwd, env.PATH)?.found ?? null
  return { ...binding, argv, program, command, decision, action }
}

/** What begins with some words is allowed in a folder, not wherever a variable leads. */
function applicable<R extends UserRule | Rule>(rules: readonly R[], facts: Facts): readonly R[] {
  if (redirectingVariables(facts).length === 0) return rules
  return rules.filter(({ verdict, scope }) => verdict !== 'allow' || scope === 'exact')
}

/** The exact words that reach each program, unless they are simply what is written. */
function startsOf(segments: readonly Segment[], command: string): string[] {
  const starts = [...new Set(segments.map(({ argv }) => quoteWords(argv)))]
  return starts.length === 1 && starts[0] === command ? [] : starts.slice(0, maxShown)
}
