import type { Span } from './shell/syntax-tree.ts'

// allow < ask < deny: what the command gets is the strictest of all its parts.
export const verdicts = ['allow', 'ask', 'deny'] as const
export type Answer = (typeof verdicts)[number]

const severities = ['none', 'low', 'medium', 'high', 'critical'] as const
export type Severity = (typeof severities)[number]

interface Reason {
  /** The rule's id, such as `git/push-force`. */
  rule: string
  message: string
  span: Span
}

/** One program that the command would start, as it is after unwrapping: `sudo env rm x` has three. */
export interface Segment {
  argv: readonly string[]
  cwd: string | null
  /** What it was found inside of, outermost first: `['sudo', 'sh -c']`. */
  via: readonly string[]
  span: Span
}

export interface Verdict {
  verdict: Answer
  severity: Severity
  reasons: readonly Reason[]
  segments: readonly Segment[]
  safer: string | null
}

/** What a rule says about one place of the command. */
export interface Finding extends Reason {
  verdict: Exclude<Answer, 'allow'>
  severity: Exclude<Severity, 'none'>
  safer: string | null
}

/** The strictest of all findings; its reasons come first, each said once. */
export function toVerdict(findings: readonly Finding[], segments: readonly Segment[]): Verdict {
  const worstFirst = findings.toSorted((a, b) => rank(b) - rank(a))
  const worst = worstFirst[0]
  if (!worst) return { verdict: 'allow', severity: 'none', reasons: [], segments, safer: null }
  const seen = new Set<string>()
  const reasons: Reason[] = []
  for (const { rule, message, span } of worstFirst) {
    const key = `${rule}\n${message}`
    if (!seen.has(key)) reasons.push({ rule, message, span })
    seen.add(key)
  }
  const safer = worstFirst.find(finding => finding.safer !== null)?.safer ?? null
  return { verdict: worst.verdict, severity: worst.severity, reasons, segments, safer }
}

function rank({ verdict, severity }: Finding): number {
  return verdicts.indexOf(verdict) * severities.length + severities.indexOf(severity)
}
