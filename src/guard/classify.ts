import type { ReadGitState } from './git-state.ts'
import type { Analysis, Frame, ShellContext } from './interpret/analysis.ts'
import { LimitExceeded, limits } from './interpret/limits.ts'
import { runProgram, tooDeepFinding } from './interpret/run-program.ts'
import { Scope } from './interpret/scope.ts'
import { type Stream, terminalStream, unknownStream } from './interpret/streams.ts'
import { VariableOrigins } from './interpret/variable-origins.ts'
import { walkScript } from './interpret/walk-script.ts'
import type { ReadFile } from './look/file-reader.ts'
import { asFoundInFile } from './look/found-in-file.ts'
import { type LookedFile, LookedFiles, spanIn } from './look/looked-files.ts'
import { messageOf } from './message.ts'
import { unknownHome } from './paths.ts'
import { isStackOverflow, parseShell } from './shell/parse.ts'
import type { ShellScript, Span } from './shell/syntax-tree.ts'
import { trimEnd } from './trim-end.ts'
import { type Classification, type Finding, type Segment, toVerdict } from './verdict.ts'
import { withForwardSlashes } from './wrappers/windows-shells.ts'

/**
 * All that the guard knows of the machine on which a command would run: it opens no path and reads no environment itself.
 * For a command of another machine, the directory is all that one can give.
 */
export interface ClassifyOptions {
  cwd?: string
  /** The folder that the agent may change freely; by default the cwd. */
  workspace?: string
  /** Unknown by default: it then counts as a home folder that may be anywhere, the workspace included. */
  home?: string | null
  /** Other shells are read as bash too; a command that cannot be read as bash is asked about. */
  shell?: string
  env?: Readonly<Record<string, string | undefined>>
  /** Opens the scripts that the command runs, which are then judged as if their text stood in the command. */
  readFile?: ReadFile | undefined
  /** Whether every recursive or forced delete is asked about, also of what a build makes again. */
  strict?: boolean
  /** Without it, nothing is asked about for not being committed. */
  gitState?: ReadGitState
}

/** Says what a shell command does and whether a person must see it first. Never throws. */
export function classify(command: string, options: ClassifyOptions = {}): Classification {
  return classifyWithWork(command, options).classification
}

/** The same, with the work it took: the counts of steps and characters that are limited. */
export function classifyWithWork(
  command: string,
  options: ClassifyOptions = {},
): { classification: Classification; work: number } {
  const context = contextFrom(options)
  const files = options.readFile ? new LookedFiles(options.readFile, context.workspace, command.length) : null
  const analysis = new CommandAnalysis(command, context, files)
  let script: ShellScript = { body: [], errors: ['it is too long'] }
  try {
    if (command.length > limits.size) throw new TooLong()
    const span: Span = [0, command.length]
    const scope = new Scope(analysis.context.cwd)
    scope.stdin = terminalStream
    const frame: Frame = {
      scope,
      stdin: terminalStream,
      env: new Map(),
      span,
      via: [],
      depth: 0,
      root: false,
      shown: true,
      callStack: [],
    }
    script = parseShell(withForwardSlashes(command))
    analysis.readScript(script, span, frame)
  } catch (error) {
    analysis.reportUnreadable(unreadableFinding(error, command))
  }
  const { findings, segments, segmentsInFiles, steps, work } = analysis
  const looked = files?.paths ?? []
  const read = { segments, segmentsInFiles, steps, findings, looked, script }
  return { classification: { ...toVerdict(findings, command), ...read }, work }
}

/** What has been counted against the limits. */
interface Work {
  steps: number
  characters: number
}

class CommandAnalysis implements Analysis {
  readonly source: string
  readonly context: ShellContext
  readonly files: LookedFiles | null
  readonly findings: Finding[] = []
  readonly segments: Segment[] = []
  readonly segmentsInFiles: Segment[] = []
  readonly steps: Segment[] = []
  readonly variableOrigins = new VariableOrigins()
  #current: Segment | null = null
  readonly #ofCommand: Work = { steps: 0, characters: 0 }
  readonly #ofFiles: Work = { steps: 0, characters: 0 }
  #work = this.#ofCommand
  /** The part of a file that is being analyzed. */
  #at: Span | null = null

  constructor(source: string, context: ShellContext, files: LookedFiles | null) {
    this.source = source
    this.context = context
    this.files = files
  }

  get work(): number {
    return [this.#ofCommand, this.#ofFiles].reduce((sum, { steps, characters }) => sum + steps + characters, 0)
  }

  countSteps(cost = 1): void {
    this.#work.steps += cost
    if (this.#work.steps > limits.steps) throw new LimitExceeded('it does too many things')
  }

  countCharacters(characters: number): void {
    this.#work.characters += characters
    if (this.#work.characters > limits.text) throw new LimitExceeded('its values grow too long')
  }

  report(finding: Finding): void {
    // An argument of the command may be what makes a line of a file dangerous.
    const place = this.files?.placeOf(finding.span) ?? (this.#at && this.files?.placeOf(this.#at))
    const found = place ? asFoundInFile(finding, place) : finding
    if (found) this.findings.push(this.#current ? { ...found, at: this.#current } : found)
  }

  begin(step: Segment, isProgram: boolean): void {
    const place = this.files?.placeOf(step.span)
    const seen = place ? { ...step, span: place.span } : step
    this.steps.push(seen)
    if (isProgram) (place ? this.segmentsInFiles : this.segments).push(seen)
    this.#current = seen
  }

  /** Reports what is about the command as a whole. */
  reportUnreadable(finding: Finding): void {
    this.#current = null
    this.report(finding)
  }

  walk(...[nodes, scope, frame]: Parameters<Analysis['walk']>) {
    return walkScript(nodes, this, scope, frame)
  }

  runProgram(...[argv, frame]: Parameters<Analysis['runProgram']>) {
    const outer = this.#current
    const head = argv[0]?.span ?? frame.span
    if (this.#work === this.#ofFiles) this.#at = this.files?.placeOf(head) ? head : frame.span
    const written = runProgram(argv, frame, this)
    this.#current = outer
    return written
  }

  lookInside(work: () => Stream): Stream {
    const [before, at] = [this.#work, this.#at]
    this.#work = this.#ofFiles
    try {
      return work()
    } catch (error) {
      // A limit was reached, or the stack is full. What was found so far stands.
      if (error instanceof LimitExceeded || error instanceof RangeError) return unknownStream
      throw error
    } finally {
      this.#work = before
      this.#at = at
    }
  }

  runShellFile(file: LookedFile, frame: Frame): Stream {
    this.countCharacters(file.text.length)
    const span = spanIn(file, 0, file.text.length)
    return this.readScript(parseShell(file.text, file.base), span, { ...frame, depth: frame.depth + 1 })
  }

  runShellCode(source: string, span: Span, frame: Frame) {
    if (frame.depth >= limits.depth) {
      this.report(tooDeepFinding(frame))
      return unknownStream
    }
    this.countCharacters(source.length)
    return this.readScript(parseShell(source, span), span, { ...frame, depth: frame.depth + 1 })
  }

  readScript({ body, errors }: ShellScript, span: Span, frame: Frame): Stream {
    const [error] = errors
    if (error !== undefined) {
      const said = messageOf('contains shell code that cannot be parsed: {why}', { why: error })
      this.report({ rule: 'shell/unreadable', ...said, span, verdict: 'ask', severity: 'medium', safer: null })
    }
    return walkScript(body, this, frame.scope, { ...frame, span })
  }
}

function contextFrom(options: ClassifyOptions): ShellContext {
  const { cwd = '/', workspace = cwd, home = null, env = {}, strict = false, gitState = null } = options
  return {
    cwd: withoutTrailingSlash(cwd),
    workspace: withoutTrailingSlash(workspace),
    home: home === null ? unknownHome : withoutTrailingSlash(home),
    env,
    strict,
    gitState,
  }
}

function withoutTrailingSlash(path: string): string {
  return trimEnd(path, '/') || path.slice(0, 1)
}

class TooLong extends Error {}

function unreadableFinding(error: unknown, command: string): Finding {
  const finding = { span: [0, command.length], verdict: 'ask', severity: 'high' } as const
  if (error instanceof TooLong) {
    return { ...finding, rule: 'shell/too-long', message: 'is too long to judge', safer: 'write it into a script' }
  }
  if (!(error instanceof LimitExceeded) && !isStackOverflow(error)) {
    return { ...finding, rule: 'shell/guard-failed', message: 'makes the guard itself fail', safer: null }
  }
  const why = error instanceof LimitExceeded ? error.message : 'it nests too deeply'
  return {
    ...finding,
    rule: 'shell/too-much',
    ...messageOf('is too complex to analyze: {why}', { why }),
    safer: 'split it into smaller commands',
  }
}
