import type { ReadGitState } from './git-state.ts'
import type { Analysis, Frame, ShellContext } from './interpret/analysis.ts'
import { LimitExceeded, limits } from './interpret/limits.ts'
import { runProgram, tooDeepFinding } from './interpret/run-program.ts'
import { Scope } from './interpret/scope.ts'
import { emptyStream, unknownStream } from './interpret/streams.ts'
import { walkScript } from './interpret/walk-script.ts'
import { unknownHome } from './paths.ts'
import { parseShell } from './shell/parse.ts'
import type { ShellScript, Span } from './shell/syntax-tree.ts'
import { trimEnd } from './trim-end.ts'
import { type Classification, type Finding, toVerdict } from './verdict.ts'
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
  const analysis = new CommandAnalysis(contextFrom(options))
  let script: ShellScript = { body: [], errors: ['it is too long'] }
  try {
    if (command.length > limits.size) throw new TooLong()
    const span: Span = [0, command.length]
    const frame: Frame = {
      scope: new Scope(analysis.context.cwd),
      stdin: emptyStream,
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
    analysis.report(unreadableFinding(error, command))
  }
  const { findings, segments, work } = analysis
  return { classification: { ...toVerdict(findings), segments, script }, work }
}

class CommandAnalysis implements Analysis {
  readonly context: ShellContext
  readonly findings: Finding[] = []
  readonly segments: Analysis['segments'] = []
  #steps = 0
  #characters = 0

  constructor(context: ShellContext) {
    this.context = context
  }

  get work(): number {
    return this.#steps + this.#characters
  }

  countSteps(cost = 1): void {
    this.#steps += cost
    if (this.#steps > limits.steps) throw new LimitExceeded('it does too many things')
  }

  countCharacters(characters: number): void {
    this.#characters += characters
    if (this.#characters > limits.text) throw new LimitExceeded('its values grow too long')
  }

  report(finding: Finding): void {
    this.findings.push(finding)
  }

  walk(...[nodes, scope, frame]: Parameters<Analysis['walk']>) {
    return walkScript(nodes, this, scope, frame)
  }

  runProgram(...[argv, frame]: Parameters<Analysis['runProgram']>) {
    return runProgram(argv, frame, this)
  }

  runShellCode(source: string, span: Span, frame: Frame) {
    if (frame.depth >= limits.depth) {
      this.report(tooDeepFinding(frame))
      return unknownStream
    }
    this.countCharacters(source.length)
    return this.readScript(parseShell(source, span), span, { ...frame, depth: frame.depth + 1 })
  }

  readScript({ body, errors }: ShellScript, span: Span, frame: Frame) {
    const [error] = errors
    if (error !== undefined) {
      const message = `contains shell code that cannot be parsed: ${error}`
      this.report({ rule: 'shell/unreadable', message, span, verdict: 'ask', severity: 'medium', safer: null })
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

/** Any other error is a stack overflow: the command nests too deeply. */
function unreadableFinding(error: unknown, command: string): Finding {
  const finding = { span: [0, command.length], verdict: 'ask', severity: 'high' } as const
  if (error instanceof TooLong) {
    return { ...finding, rule: 'shell/too-long', message: 'is too long to judge', safer: 'write it into a script' }
  }
  const why = error instanceof LimitExceeded ? error.message : 'it nests too deeply'
  return {
    ...finding,
    rule: 'shell/too-much',
    message: `is too complex to analyze: ${why}`,
    safer: 'split it into smaller commands',
  }
}
