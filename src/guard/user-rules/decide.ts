import type { Always, CommandRule } from '../../protocol/rule.ts'
import { messageOf } from '../message.ts'
import { type Classification, type Finding, type Segment, toVerdict } from '../verdict.ts'
import { isOfferedPrefix, prefixOf } from './command-prefix.ts'
import { isStatic, plainWords } from './plain-words.ts'

/** The part of a rule that a decision needs. A project's rules have no author. */
export type UserRule =
  | Pick<Extract<CommandRule, { scope: 'exact' }>, 'scope' | 'verdict' | 'command' | 'cwd' | 'digest' | 'note'>
  | (Pick<Extract<CommandRule, { scope: 'prefix' }>, 'scope' | 'verdict' | 'words' | 'within' | 'note'> &
      Partial<Pick<CommandRule, 'covers'>>)

/** What a rule is compared with. */
export interface DecideOptions {
  command: string
  cwd: string
  /** What an exact rule is bound to. */
  digest?: string
}

export interface Decision<R> extends Classification {
  /** The rule that allowed a command that would otherwise be asked about. */
  allowedBy: R | null
}

/** The strictest of the guard's verdict and the users' rules, unless a rule allows exactly this. */
export function decide<R extends UserRule>(
  classification: Classification,
  options: DecideOptions,
  rules: readonly R[],
): Decision<R> {
  const verdict = tightened(options, rules, classification)
  if (verdict.verdict !== 'ask' || verdict.severity === 'critical') return { ...verdict, allowedBy: null }
  const allowedBy = rules.find(rule => rule.verdict === 'allow' && allows(rule, options, verdict)) ?? null
  return { ...verdict, verdict: allowedBy ? 'allow' : 'ask', allowedBy }
}

/** What "always" can mean for a command that is asked about. */
export function alwaysFor({ severity, script }: Classification, workspace: string): Always {
  if (severity === 'critical') return { exact: false, prefix: null }
  const words = prefixOf(plainWords(script) ?? [])
  return { exact: isStatic(script), prefix: words && { words, within: workspace } }
}

function tightened(options: DecideOptions, rules: readonly UserRule[], verdict: Classification): Classification {
  const started = [...verdict.segments, ...verdict.segmentsInFiles]
  const strict = rules.filter(rule => rule.verdict !== 'allow' && concerns(rule, options, started))
  if (strict.length === 0) return verdict
  const own = toVerdict(strict.map(rule => findingOf(rule, options.command)))
  if (verdict.verdict === 'allow') return { ...verdict, ...own }
  const worse = own.verdict === 'deny' || verdict.verdict === 'deny' ? 'deny' : 'ask'
  const severity = own.verdict === 'deny' ? 'high' : verdict.severity
  return { ...verdict, verdict: worse, severity, reasons: [...own.reasons, ...verdict.reasons] }
}

function findingOf({ verdict, note, ...rule }: UserRule, command: string): Finding {
  const matched = rule.scope === 'prefix' ? rule.words.join(' ') : rule.command
  const template =
    verdict === 'deny' ? 'matches a rule that denies "{command}"' : 'matches a rule that asks about "{command}"'
  const said = note === null ? messageOf(template, { command: matched }) : { message: note }
  const finding = { rule: `own/${verdict}`, ...said, span: [0, command.length] as const, safer: null }
  return verdict === 'deny'
    ? { ...finding, verdict: 'deny', severity: 'high' }
    : { ...finding, verdict: 'ask', severity: 'medium' }
}

/** A stricter rule applies widely: to every program that is started, even inside wrappers, strings and scripts. */
function concerns(rule: UserRule, { command, cwd }: DecideOptions, segments: readonly Segment[]): boolean {
  if (rule.scope === 'exact') return rule.command === command && rule.cwd === cwd
  return isWithin(cwd, rule.within) && segments.some(({ argv }) => startsWithWords(argv, rule.words))
}

/** Options between the words do not hide them: `git -C x push --force` is `git push`. */
function startsWithWords(
  [program = '', ...args]: readonly string[],
  [first = '', ...rest]: readonly string[],
): boolean {
  if (program !== first && program.replace(/^.*\//, '') !== first) return false
  const operands = args.filter(arg => !arg.startsWith('-'))
  let at = 0
  for (const word of rest) {
    if (word.startsWith('-')) {
      if (!args.includes(word)) return false
      continue
    }
    const found = operands.indexOf(word, at)
    if (found < 0 || found > at + 2) return false
    at = found + 1
  }
  return true
}

/** A rule that allows applies narrowly: to the letter, and only to the danger it was made for. */
function allows(rule: UserRule, { command, cwd, digest }: DecideOptions, verdict: Classification): boolean {
  if (rule.scope === 'exact') {
    return digest !== undefined && rule.digest === digest && rule.command === command && rule.cwd === cwd
  }
  const { covers = [] } = rule
  if (!isOfferedPrefix(rule.words) || !isWithin(cwd, rule.within)) return false
  if (!verdict.reasons.every(reason => covers.includes(reason.rule))) return false
  const words = plainWords(verdict.script)
  return words !== null && rule.words.every((word, i) => words[i] === word)
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`)
}
