import type { Always } from '../protocol/rule.ts'
import type { Verdict } from '../protocol/verdict.ts'
import { classify } from './classify.ts'
import { quoteWords } from './quote-words.ts'
import { alwaysFor } from './user-rules/decide.ts'

/** Where a command of another program would run, as far as that program says. */
export interface JudgeOptions {
  cwd: string
  /** By default the cwd: on another machine, the folder of the repository is unknown. */
  workspace?: string
  home?: string | null
  env?: Readonly<Record<string, string | undefined>>
}

export interface Judgement extends Verdict {
  /** The ids of the rules that it breaks, each once: what a person's rule that allows it would cover. */
  readonly covers: readonly string[]
  /** What "always" can mean for it. */
  readonly always: Always
}

/**
 * Judges a command for someone who need not be on this machine: a command line, or a program and its arguments. It opens no
 * path, reads no environment and starts nothing; without `home` and `env` it uses none of this machine's own. Never throws.
 */
export function judge(command: string | readonly string[], options: JudgeOptions): Judgement {
  const { cwd, workspace = cwd, home = null, env = {} } = options
  const text = typeof command === 'string' ? command : quoteWords(command)
  const classification = classify(text, { cwd, workspace, home, env })
  const { verdict, severity, reasons, safer } = classification
  const covers = [...new Set(reasons.map(({ rule }) => rule))]
  return { verdict, severity, reasons, safer, covers, always: alwaysFor(classification, workspace) }
}
