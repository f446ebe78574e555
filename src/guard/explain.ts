import { type Severity, severities, verdicts } from '../protocol/severity.ts'
import type { Reason, Step, Verdict } from '../protocol/verdict.ts'
import { type Classification, type Finding, reasonOf, type Segment } from './verdict.ts'

const mostSteps = 50
const mostWords = 40
const longestWord = 200

/** Each program that the command would start, in order, with what the rules say about it. Bounded, for people to read. */
export function explain({ steps, findings }: Classification): { steps: Step[]; omitted: number } {
  const about = new Map<Segment, Finding[]>()
  for (const finding of findings) {
    if (finding.at) about.set(finding.at, [...(about.get(finding.at) ?? []), finding].slice(0, mostSteps))
  }
  const shown = new Map<string, Step>()
  for (const segment of steps) {
    const said = about.get(segment) ?? []
    if (said.length === 0 && isRedirect(segment)) continue
    const step = stepOf(segment, said)
    // A loop starts the same program again and again.
    const key = JSON.stringify(step)
    if (!shown.has(key)) shown.set(key, step)
  }
  return mostTelling([...shown.values()])
}

function isRedirect({ argv: [program = ''] }: Segment): boolean {
  return /^(<|>|>>)$/.test(program)
}

function stepOf({ argv, cwd, via, span, root, remote }: Segment, findings: readonly Finding[]): Step {
  const reasons = new Map<string, Reason>()
  let verdict: Verdict['verdict'] = 'allow'
  let severity: Severity = 'none'
  for (const finding of findings) {
    if (verdicts.indexOf(finding.verdict) > verdicts.indexOf(verdict)) verdict = finding.verdict
    if (severities.indexOf(finding.severity) > severities.indexOf(severity)) severity = finding.severity
    reasons.set(`${finding.rule}\n${finding.message}`, reasonOf(finding))
  }
  return {
    argv: shortened(argv),
    cwd,
    via: shortened(via),
    root,
    remote,
    span,
    verdict,
    severity,
    reasons: [...reasons.values()],
  }
}

function shortened(words: readonly string[]): string[] {
  const shown = words
    .slice(0, mostWords)
    .map(word => (word.length > longestWord ? `${word.slice(0, longestWord)}…` : word))
  return words.length > mostWords ? [...shown, '…'] : shown
}

/** If there are too many, those that a rule says something about stay. */
function mostTelling(steps: readonly Step[]): { steps: Step[]; omitted: number } {
  let room = mostSteps - steps.filter(({ reasons }) => reasons.length > 0).length
  const kept = steps.filter(({ reasons }) => {
    if (reasons.length > 0) return true
    room -= 1
    return room >= 0
  })
  const shown = kept.slice(0, mostSteps)
  return { steps: shown, omitted: steps.length - shown.length }
}
