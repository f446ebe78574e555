import type { GitState } from '../git-state.ts'
import type { Argument } from '../interpret/arguments.ts'
import type { PathClass } from '../paths.ts'
import type { ProgramCall } from '../program-call.ts'
import { firstWords } from './first-words.ts'

/** What must be true of a call. All given fields must hold; the entries of a list are alternatives. */
export interface Condition {
  /** `*` is every program, redirects included. */
  program?: string | readonly string[]
  /** The first operands: 'push', 'stash drop', ['branch', 'tag']. */
  sub?: string | readonly string[]
  /** One of these options is given. */
  any?: readonly string[]
  /** All of these options are given. */
  all?: readonly string[]
  /** None of these options is given. */
  none?: readonly string[]
  /** The first operands as one text, such as `compute instances delete vm`, match this. */
  words?: RegExp
  /** The same text does not match this. */
  notWords?: RegExp
  /** By the names of an option: one of its values matches. `{ '-o --output': /^json/ }` */
  option?: Readonly<Record<string, RegExp>>
  /** The name of an option matches: `/^--delete/`. */
  optionMatches?: RegExp
  /** An operand after `sub` matches; the first one is highlighted for the person. */
  operandMatches?: RegExp
  /** Any argument matches, an option too. */
  argMatches?: RegExp
  /** The last operand matches: what is copied to. */
  lastOperand?: RegExp
  /** An operand after `sub` is a path of one of these classes (see src/guard/paths.ts); the first one is highlighted. */
  operandIn?: readonly PathClass[]
  /** Finds an operand after `sub`; the first one found is highlighted for the person. */
  operand?: (operand: Argument, call: ProgramCall) => boolean
  /** How git must hold the operand that is found. No rule with it matches where the caller does not know. */
  git?: readonly GitState[]
  /** Only where the guard is strict: where every recursive or forced delete is to be asked about. */
  strict?: true
  /** One of these holds, too. */
  oneOf?: readonly Condition[]
  /** None of these holds. */
  unless?: Condition | readonly Condition[]
  /** Any other condition. If it returns an argument, that argument is highlighted for the person. */
  when?: (call: ProgramCall) => boolean | Argument
}

/** Whether a call meets a condition, its program included; the argument that tells, if one does. */
export function meets(call: ProgramCall, condition: Condition): boolean | Argument {
  const { program } = condition
  if (typeof program === 'string' && program !== '*' && program !== call.program) return false
  if (typeof program === 'object' && !program.includes(call.program)) return false
  return meetsRest(call, condition)
}

/** The same for a condition whose program is known to be the call's. */
export function meetsRest(call: ProgramCall, condition: Condition): boolean | Argument {
  const { sub, any, all, none, git, strict, when } = condition
  if ((strict && !call.context.strict) || (git && !call.context.gitState)) return false
  let words = 0
  if (sub !== undefined) {
    const found = typeof sub === 'string' ? (call.isSub(sub) ? sub : undefined) : sub.find(one => call.isSub(one))
    if (found === undefined) return false
    words = found.split(' ').length
  }
  if (any && !call.hasOneOf(any)) return false
  if (all && !all.every(name => call.has(name))) return false
  if (none && call.hasOneOf(none)) return false
  if (!wordsAndOptionsMatch(call, condition)) return false
  const shown = shownOperand(call, condition, words)
  if (!shown) return false
  const alternative = condition.oneOf ? firstOf(call, condition.oneOf) : true
  if (!alternative) return false
  if (condition.unless && firstOf(call, [condition.unless].flat())) return false
  const said = when ? when(call) : true
  if (said !== true) return said
  return alternative === true ? shown : alternative
}

function wordsAndOptionsMatch(call: ProgramCall, condition: Condition): boolean {
  const { words, notWords, option, optionMatches, argMatches, lastOperand } = condition
  if (words || notWords) {
    const text = firstWords(call)
    if (words && !words.test(text)) return false
    if (notWords?.test(text)) return false
  }
  if (optionMatches && !call.parsed.options.some(({ name }) => optionMatches.test(name))) return false
  if (argMatches && !call.args.some(({ value }) => argMatches.test(value))) return false
  if (lastOperand && !lastOperand.test(call.operands.at(-1)?.value ?? '')) return false
  for (const names in option) {
    if (!call.values(...names.split(' ')).some(({ value }) => option[names]?.test(value))) return false
  }
  return true
}

function shownOperand(call: ProgramCall, condition: Condition, words: number): boolean | Argument {
  const { operand, operandMatches, operandIn, git } = condition
  if (!operand && !operandMatches && !operandIn) return true
  return (
    call.after(words).find(
      arg =>
        (!operandMatches || operandMatches.test(arg.value)) &&
        (!operandIn || operandIn.includes(call.pathClass(arg))) &&
        (!operand || operand(arg, call)) &&
        // Asked last, because it is the one question that reaches beyond the command.
        (!git || isHeld(call, arg, git)),
    ) ?? false
  )
}

function isHeld(call: ProgramCall, arg: Argument, states: readonly GitState[]): boolean {
  const state = call.gitState(arg)
  return state !== null && states.includes(state)
}

function firstOf(call: ProgramCall, conditions: readonly Condition[]): boolean | Argument {
  for (const condition of conditions) {
    const met = meets(call, condition)
    if (met) return met
  }
  return false
}
