import { type Frame, limits, type Place, type Reading, TooMuch } from './interpret/reading.ts'
import { run, tooDeep } from './interpret/run.ts'
import { Scope } from './interpret/scope.ts'
import { empty, unknown } from './interpret/values.ts'
import { walk } from './interpret/walk.ts'
import type { ShellIR, Span } from './shell/ir.ts'
import { parseShell } from './shell/parse.ts'
import { type Classification, type Finding, toVerdict } from './verdict.ts'
import { withForwardSlashes } from './wrappers/windows.ts'

export interface ClassifyOptions {
  cwd?: string
  /** The folder that the agent may change freely; the cwd, where it is not given. */
  workspace?: string
  home?: string
  /** `bash` and its kin; others are read as bash, too, and asked about where that fails. */
  shell?: string
  env?: Readonly<Record<string, string | undefined>>
}

/** What a shell command does, and whether a person must see it first. Total: it never throws and always has an opinion. */
export function classify(command: string, options: ClassifyOptions = {}): Classification {
  return examine(command, options).verdict
}

/** The same, and how much work it was: steps and characters, the counts that are limited. */
export function examine(command: string, options: ClassifyOptions = {}): { verdict: Classification; work: number } {
  const reading = new OneReading(placeOf(options))
  let script: ShellIR = { body: [], errors: ['too long'] }
  try {
    if (command.length > limits.size) throw new TooMuch('it is too long')
    const span: Span = [0, command.length]
    const frame: Frame = {
      scope: new Scope(reading.place.cwd),
      stdin: empty,
      env: new Map(),
      span,
      via: [],
      depth: 0,
      root: false,
      shown: true,
      calling: [],
    }
    script = parseShell(withForwardSlashes(command))
    reading.read(script, span, frame)
  } catch (error) {
    reading.report(notRead(error, command))
  }
  const { findings, segments, work } = reading
  return { verdict: { ...toVerdict(findings), segments, script }, work }
}

class OneReading implements Reading {
  readonly place: Place
  readonly findings: Finding[] = []
  readonly segments: Reading['segments'] = []
  #steps = 0
  #characters = 0

  constructor(place: Place) {
    this.place = place
  }

  get work(): number {
    return this.#steps + this.#characters
  }

  step(cost = 1): void {
    this.#steps += cost
    if (this.#steps > limits.steps) throw new TooMuch('it does too many things')
  }

  grow(characters: number): void {
    this.#characters += characters
    if (this.#characters > limits.text) throw new TooMuch('its values grow too long')
  }

  report(finding: Finding): void {
    this.findings.push(finding)
  }

  walk(...[nodes, scope, frame]: Parameters<Reading['walk']>) {
    return walk(nodes, this, scope, frame)
  }

  run(...[argv, frame]: Parameters<Reading['run']>) {
    return run(argv, frame, this)
  }

  code(source: string, span: Span, frame: Frame) {
    if (frame.depth >= limits.depth) {
      this.report(tooDeep(frame))
      return unknown
    }
    this.grow(source.length)
    return this.read(parseShell(source, span), span, { ...frame, depth: frame.depth + 1 })
  }

  read({ body, errors }: ShellIR, span: Span, frame: Frame) {
    const [error] = errors
    if (error !== undefined) {
      const message = `a shell would not read this, or would read it otherwise: ${error}`
      this.report({ rule: 'shell/unreadable', message, span, verdict: 'ask', severity: 'medium', safer: null })
    }
    return walk(body, this, frame.scope, { ...frame, span })
  }
}

function placeOf({ cwd = '/', workspace = cwd, home = '/root', env = {} }: ClassifyOptions): Place {
  return { cwd: trimmed(cwd), workspace: trimmed(workspace), home: trimmed(home), env }
}

function trimmed(path: string): string {
  return path.replace(/(?<=.)\/+$/, '')
}

/** A stack that runs out is a command that nests too deep. */
function notRead(error: unknown, command: string): Finding {
  const why = error instanceof TooMuch ? error.message : 'it nests too deep'
  return {
    rule: 'shell/too-much',
    message: `this could not be looked at as a whole: ${why}`,
    span: [0, command.length],
    verdict: 'ask',
    severity: 'high',
    safer: 'do it in smaller steps',
  }
}
