import { isAbsolute } from 'node:path'
import { alwaysFor, classify, decide, explain, isOfStrictGuard, type Segment, type UserRule } from '../guard/index.ts'
import {
  type Action,
  type Always,
  type CommandRule,
  type Facts,
  invalid,
  type Json,
  type Reason,
  type Severity,
  type Step,
  severities,
} from '../protocol/index.ts'
import { actionText } from '../rules/action-text.ts'
import { applicableRules, redirectingVariables } from '../rules/redirected.ts'
import { harmlessTitle } from '../text/harmless.ts'
import { quoteWords } from '../text/quote-words.ts'
import { type BoundAction, digestOfAction } from './action-digest.ts'
import { commandLine } from './command-line.ts'
import { judgingOptions } from './judging-options.ts'
import { projectRules } from './project-rules.ts'
import { type ShellCall, shellCallsOf } from './shell-tools.ts'

/** An action as somebody asks for it, with what they say about it. */
export interface AskedAction extends BoundAction {
  readonly severity?: Severity | undefined
  readonly reasons?: Action['reasons'] | undefined
}

/** Where an action would run, as far as the one who judges knows. */
export interface Surroundings {
  /** The environment of the asker's machine; null where it is another one, of which nothing is known. */
  readonly env: NodeJS.ProcessEnv | null
  /** The rules that people keep in the hub. */
  readonly rules: readonly CommandRule[]
}

export interface Judgement {
  readonly verdict: 'allow' | 'ask' | 'deny'
  readonly severity: Severity
  readonly reasons: Action['reasons']
  readonly safer: string | null
  /** Whether `safer` is the whole command, rewritten. */
  readonly rewritten?: boolean | undefined
  readonly allowedBy: UserRule | CommandRule | null
  /** The command that was judged; null for a tool that runs none. */
  readonly command: string | null
  readonly starts: readonly string[]
  /** Each program that it would start, and what the guard's rules say about it; and how many more there are. */
  readonly steps: readonly Step[]
  readonly omitted: number
  readonly always: Always
}

// A person reads these; more would hide the first ones.
const maxShown = 50

/** The action as the hub stores it. The stricter of the asker's word and our own judgement stands. */
export function judgeAsk(asked: AskedAction, surroundings: Surroundings): Action {
  const { argv, tool, input, cwd, facts, reasons: said = [], severity = 'none' } = asked
  if (argv && commandLine(argv) !== asked.command) {
    throw invalid([{ path: 'action.argv', message: 'must be the words of the command' }])
  }
  if (!isPlainFolder(cwd)) {
    throw invalid([{ path: 'action.cwd', message: 'must be an absolute path, without "." and ".."' }])
  }
  // A strict guard asks about more than ours would by itself: whether it is true is judged here all the same.
  const judged = judgeAction(asked, surroundings, { strict: said.some(({ rule }) => isOfStrictGuard(rule)) })
  if (judged.verdict === 'deny') {
    const path = tool === undefined ? 'action.command' : 'action.input'
    throw invalid([{ path, message: `is refused: ${describeReasons(judged.reasons)}` }])
  }
  const command = judged.command ?? undefined
  const known = new Set(judged.reasons.map(({ rule }) => rule))
  const claims = said.filter(({ rule }) => !known.has(rule)).slice(0, maxShown)
  return {
    ...(command === undefined ? {} : { command }),
    ...(argv === undefined ? {} : { argv: [...argv] }),
    ...(tool === undefined ? {} : { tool, input: input ?? null }),
    cwd,
    digest: digestOfAction(asked),
    severity: stricter(severity, judged.severity),
    reasons: judged.reasons.slice(0, maxShown),
    safer: judged.safer,
    ...(judged.rewritten ? { rewritten: true } : {}),
    ...(judged.starts.length > 0 ? { starts: [...judged.starts] } : {}),
    ...(facts ? { facts, files: facts.files.map(({ path }) => path) } : {}),
    always: judged.always,
    ...(claims.length > 0 ? { claims } : {}),
  }
}

/** Rules compare folders by their text: it must lead where it says. */
function isPlainFolder(cwd: string): boolean {
  return /^(\/|[a-z]:[\\/])/i.test(cwd) && !/(^|[\\/])\.{1,2}([\\/]|$)|\/\//.test(cwd)
}

interface JudgeOptions {
  /** Somebody wants a person to see it, whatever the guard says. */
  readonly asked?: boolean
  readonly strict?: boolean
}

/** What the guard and people's rules say about an action. */
export function judgeAction(action: BoundAction, surroundings: Surroundings, options: JudgeOptions = {}): Judgement {
  const { tool, input = null, cwd, command = '' } = action
  const { calls, isPlain } =
    tool === undefined ? { calls: [{ command, cwd }], isPlain: true } : shellCallsOf(tool, input, cwd)
  const [only, ...others] = calls.map(call => judgeCommand(action, call, surroundings, options))
  if (only === undefined) return judgeTool(action, surroundings.rules)
  return isPlain ? only : strictestOf(action, surroundings.rules, [only, ...others])
}

/** Where the command of an action runs: a shell tool may name another folder in its input. */
export function folderOf({ tool, input = null, cwd }: BoundAction): string {
  const [call] = tool === undefined ? [] : shellCallsOf(tool, input, cwd).calls
  return call?.cwd ?? cwd
}

/** Only the tool knows what it makes of its input: the worst counts, and no rule about commands is about it. */
function strictestOf(action: BoundAction, rules: readonly CommandRule[], all: readonly Judgement[]): Judgement {
  const own = judgeTool(action, rules)
  const denied = all.find(({ verdict }) => verdict === 'deny')
  if (denied) return { ...denied, command: null }
  return {
    ...own,
    severity: all.map(({ severity }) => severity).reduce(stricter, own.severity),
    // Their spans are about one of the commands, and the whole input is shown.
    reasons: [...own.reasons, ...all.flatMap(({ reasons }) => reasons.map(reason => ({ ...reason, span: nowhere })))],
    steps: all.flatMap(({ steps }) => steps).slice(0, maxShown),
    starts: all.flatMap(({ starts, command }) => (starts.length > 0 ? starts : [command ?? ''])).slice(0, maxShown),
  }
}

const nowhere: [number, number] = [0, 0]

function judgeCommand(
  action: BoundAction,
  { command, cwd }: ShellCall,
  { env, rules }: Surroundings,
  { asked = false, strict = false }: JudgeOptions,
): Judgement {
  const known = env === null ? elsewhere(cwd) : judgingOptions({ cwd, env })
  const options = strict ? { ...known, strict } : known
  const ofProject = env !== null && isAbsolute(cwd) ? projectRules(cwd) : []
  const what = { command, cwd, digest: digestOfAction(action) }
  const classification = classify(command, options)
  const raised =
    asked && classification.verdict === 'allow' ? { ...classification, verdict: 'ask' as const } : classification
  const decision = decide(raised, what, applicableRules<UserRule | CommandRule>([...ofProject, ...rules], action.facts))
  return {
    ...decision,
    severity: stricter('low', decision.severity),
    reasons: shownReasons(decision.reasons),
    command,
    starts: startsOf(decision.segments, command),
    ...explain(decision),
    always: alwaysOf(decision, options.workspace, action.facts),
  }
}

/** A rule about a folder would not cover what a variable leads elsewhere, so none is offered. */
function alwaysOf(decision: Parameters<typeof alwaysFor>[0], workspace: string, facts: Facts | undefined): Always {
  const always = alwaysFor(decision, workspace)
  return facts && redirectingVariables(facts).length > 0 ? { ...always, prefix: null } : always
}

/** Whether this rule says yes to the action, and no stricter rule objects. */
export function isAllowedByRule(action: BoundAction, surroundings: Surroundings, id: string): boolean {
  const rules = surroundings.rules.filter(rule => rule.id === id || rule.verdict !== 'allow')
  const { allowedBy } = judgeAction(action, { ...surroundings, rules }, { asked: true })
  return allowedBy !== null && 'id' in allowedBy && allowedBy.id === id
}

/** Nobody knows what the tool does: a person looks at every call, unless their rule is about exactly this one. */
function judgeTool(action: BoundAction, rules: readonly CommandRule[]): Judgement {
  const digest = digestOfAction(action)
  const exact = rules.filter(rule => rule.scope === 'exact' && rule.digest === digest && rule.cwd === action.cwd)
  const matching = exact.filter(rule => rule.scope === 'exact' && rule.command === actionText(toolCall(action)))
  const strict = matching.find(({ verdict }) => verdict !== 'allow')
  const allowedBy = strict ? null : (matching[0] ?? null)
  return {
    verdict: strict?.verdict ?? (allowedBy ? 'allow' : 'ask'),
    severity: 'medium',
    reasons: strict ? [{ rule: `own/${strict.verdict}`, message: strict.note ?? 'matches a rule', span: [0, 0] }] : [],
    safer: null,
    allowedBy,
    command: null,
    starts: [],
    steps: [],
    omitted: 0,
    always: { exact: true, prefix: null },
  }
}

function toolCall({ tool = '', input = null }: BoundAction): { tool: string; input: Json } {
  return { tool, input }
}

/** On another machine: its files, its home and its environment are unknown. */
function elsewhere(cwd: string) {
  return { cwd, workspace: cwd, home: null, env: {} }
}

/** The exact words that reach each program, unless they are simply what is written. */
function startsOf(segments: readonly Segment[], command: string): string[] {
  const starts = [...new Set(segments.map(({ argv }) => quoteWords(argv)))]
  return starts.length === 1 && starts[0] === command ? [] : starts.slice(0, maxShown)
}

function shownReasons(reasons: readonly Reason[]): Action['reasons'] {
  return reasons.map(({ params, span: [from, to], ...reason }) => ({
    ...reason,
    ...(params ? { params: { ...params } } : {}),
    span: [from, to],
  }))
}

function stricter(a: Severity, b: Severity): Severity {
  return severities.indexOf(a) > severities.indexOf(b) ? a : b
}

export function describeReasons(reasons: readonly { message: string }[]): string {
  return reasons.map(({ message }) => harmlessTitle(message)).join('; ')
}
