import { type Severity, severities, verdicts } from '../protocol/severity.ts'
import type { Reason, Verdict } from '../protocol/verdict.ts'
import { type Edit, editCommand } from './safer-command.ts'
import type { ShellScript, Span } from './shell/syntax-tree.ts'

/** One program that the command would start, after unwrapping: `sudo env rm x` has three. */
export interface Segment {
  argv: readonly string[]
  cwd: string | null
  /** The wrappers around it, outermost first: `['sudo', 'sh -c']`. */
  via: readonly string[]
  span: Span
  /** As root, under sudo or similar. */
  root: boolean
  /** On another machine or in a container. */
  remote: boolean
}

/** A verdict, and what the guard read to get there: a command is parsed once, and this is passed on. */
export interface Classification extends Verdict {
  readonly segments: readonly Segment[]
  /** The segments, and among them what is written and read by redirects: `['>', 'file']`. */
  readonly steps: readonly Segment[]
  readonly findings: readonly Finding[]
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
  /** An example, or the advice of a rule that has none. */
  safer: string | null
  /** What makes the command itself safe, as far as this finding goes. */
  edits?: readonly Edit[]
  /** What it is about, unless that is the command as a whole. */
  at?: Segment
}

/** The verdict of the strictest finding, with all reasons: the worst first, each once. */
export function toVerdict(findings: readonly Finding[], command = ''): Verdict {
  const worstFirst = findings.toSorted((a, b) => rank(b) - rank(a))
  const worst = worstFirst[0]
  if (!worst) return { verdict: 'allow', severity: 'none', reasons: [], safer: null }
  const seen = new Set<string>()
  const reasons: Reason[] = []
  for (const finding of worstFirst) {
    const key = `${finding.rule}\n${finding.message}`
    if (!seen.has(key)) reasons.push(reasonOf(finding))
    seen.add(key)
  }
  return { verdict: worst.verdict, severity: worst.severity, reasons, ...saferOf(worstFirst, command) }
}

/** The command itself with its dangerous parts rewritten; if the worst of them cannot be, an example. */
function saferOf(worstFirst: readonly Finding[], command: string): Pick<Verdict, 'safer' | 'rewritten'> {
  const first = worstFirst.find(({ safer, edits }) => safer !== null || edits)
  if (!first) return { safer: null }
  // A line in which something worse remains is not called safer.
  const somethingIsWorse = worstFirst[0] !== undefined && rank(worstFirst[0]) > rank(first)
  if (!first.edits || somethingIsWorse) return { safer: first.safer }
  const edited = editCommand(
    command,
    worstFirst.flatMap(({ edits }) => (edits ? [edits] : [])),
  )
  return edited === null ? { safer: first.safer } : { safer: edited, rewritten: true }
}

export function reasonOf({ rule, message, template, params, span, file, line }: Finding): Reason {
  const made = template === undefined ? {} : { template, params }
  const place = file === undefined ? {} : { file, line }
  return { rule, message, ...made, span, ...place }
}

function rank({ verdict, severity }: Finding): number {
  return verdicts.indexOf(verdict) * severities.length + severities.indexOf(severity)
}
