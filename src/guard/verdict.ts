import { type Reason, type Severity, severities, type Verdict, verdicts } from '../protocol/verdict.ts'
import type { ShellScript, Span } from './shell/syntax-tree.ts'

/** One program that the command would start, after unwrapping: `sudo env rm x` has three. */
export interface Segment {
  argv: readonly string[]
  cwd: string | null
  /** The wrappers around it, outermost first: `['sudo', 'sh -c']`. */
  via: readonly string[]
  span: Span
}

/** A verdict, and what the guard read to get there: a command is parsed once, and this is passed on. */
export interface Classification extends Verdict {
  readonly segments: readonly Segment[]
  /** The programs that the files would start that were looked at; their spans are the parts of the command that run the files. */
  readonly segmentsInFiles: readonly Segment[]
  /** The absolute paths of these files: what was found in them holds only while they stay as they are. */
  readonly looked: readonly string[]
  /** The command as it is written, parsed. */
  readonly script: ShellScript
}

/** What a rule says about one part of the command. */
export interface Finding extends Reason {
  verdict: Exclude<Verdict['verdict'], 'allow'>
  severity: Exclude<Severity, 'none'>
  safer: string | null
}

/** The verdict of the strictest finding, with all reasons: the worst first, each once. */
export function toVerdict(findings: readonly Finding[]): Verdict {
  const worstFirst = findings.toSorted((a, b) => rank(b) - rank(a))
  const worst = worstFirst[0]
  if (!worst) return { verdict: 'allow', severity: 'none', reasons: [], safer: null }
  const seen = new Set<string>()
  const reasons: Reason[] = []
  for (const { verdict, severity, safer, ...reason } of worstFirst) {
    const key = `${reason.rule}\n${reason.message}`
    if (!seen.has(key)) reasons.push(reason)
    seen.add(key)
  }
  const safer = worstFirst.find(finding => finding.safer !== null)?.safer ?? null
  return { verdict: worst.verdict, severity: worst.severity, reasons, safer }
}

function rank({ verdict, severity }: Finding): number {
  return verdicts.indexOf(verdict) * severities.length + severities.indexOf(severity)
}
