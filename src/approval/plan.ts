import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { alwaysFor, classify, type Decision, decide, type Segment, type UserRule } from '../guard/index.ts'
import type { Rule } from '../protocol/rule.ts'
import { type ApprovalAction, actionFor, maxShown } from './action.ts'
import { commandLine, quoteWords } from './command-line.ts'
import { type Binding, bindCommand } from './digest.ts'
import { type CommandContext, guardOptions } from './workspace.ts'

/** What would be run, what the guard and people's rules say about it, and what a yes to it is bound to. */
export interface Plan extends Binding {
  readonly argv: readonly string[]
  readonly command: string
  readonly decision: Decision<UserRule | Rule>
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
  const options = guardOptions(surroundings)
  const classification = classify(command, options)
  const binding = bindCommand(words, surroundings, classification.segments)
  const decision = decide(classification, { command, cwd, digest: binding.digest }, rules)
  const action: ApprovalAction = {
    ...actionFor(command, cwd, decision, binding),
    starts: startsOf(decision.segments, command),
    always: alwaysFor(decision, options.workspace),
    ...(words.length > 1 ? { argv: [...words] } : {}),
  }
  return { ...binding, argv: words.length === 1 ? [shellIn(env), '-c', command] : words, command, decision, action }
}

/** The exact words that reach each program, unless they are simply what is written. */
function startsOf(segments: readonly Segment[], command: string): string[] {
  const starts = [...new Set(segments.map(({ argv }) => quoteWords(argv)))]
  return starts.length === 1 && starts[0] === command ? [] : starts.slice(0, maxShown)
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
