import { type Argument, literal } from '../interpret/arguments.ts'
import type { Option } from '../parse-args.ts'
import type { ProgramCall } from '../program-call.ts'
import type { Edit } from '../safer-command.ts'
import { type Condition, meets } from './condition.ts'

/**
 * How a rule's call is written so that the rule no longer matches it. A rewrite has conditions of its own, as a rule has; of
 * a list, the first one that helps is used.
 *
 *   { replace: { '--force': '--force-with-lease', '-f': '--force-with-lease' } }     an option becomes another one
 *   { replace: { '--clean': '', '-c': '' } }                                        … or goes
 *   { replace: { destroy: 'plan -destroy', apply: 'plan' } }                        an operand, the first such one
 *   { replace: { '+*': '--force-with-lease *' } }                                   operands that begin so; `*` is the rest
 *   { add: '-n' }                                                                   after `sub`, or before all arguments
 *   { append: '--dry-run=server' }                                                  after all arguments, before `--`
 *
 * It changes these words of the command and no other byte. If one of them is not written there, because it comes from a
 * variable, from `sh -c`, `eval` or a decoded string, there is no rewrite, and the rule's `safer` is shown as an example.
 */
export interface Rewrite extends Condition {
  replace?: Readonly<Record<string, string>>
  add?: string
  append?: string
}

/** Nobody reviews a longer command word by word. */
const longest = 4_000
const mostChanges = 16
const plainWord = /^[\w@%+=:,./-][\w@%+=:,./~^-]*$/

/** The edits of the command that make a call safe; null if there are none. */
export function rewriteCall(
  rewrites: Rewrite | readonly Rewrite[],
  sub: Condition['sub'],
  call: ProgramCall,
  source: string,
  isSafe: (call: ProgramCall) => boolean,
): Edit[] | null {
  // Deeper code is in a string, and its words have no place of their own.
  if (call.frame.depth > 0 || source.length > longest) return null
  for (const rewrite of [rewrites].flat()) {
    if (!meets(call, rewrite)) continue
    const draft = new Draft(call, source)
    if (!draft.replace(rewrite.replace ?? {})) continue
    if (rewrite.add !== undefined && !draft.insert(rewrite.add, wordsIn(rewrite.sub ?? sub, call))) continue
    if (rewrite.append !== undefined && !draft.append(rewrite.append)) continue
    if (draft.edits.length > 0 && isSafe(call.withArgs(draft.args()))) return draft.edits
  }
  return null
}

/** How many arguments the subcommand ends after. */
function wordsIn(sub: Condition['sub'], call: ProgramCall): number {
  const found = [sub ?? []].flat().find(one => call.isSub(one))
  return found === undefined ? 0 : (call.parsed.positions[found.split(' ').length - 1] ?? -1) + 1
}

/** The arguments of a call while they change, and the same changes of the command's text. */
class Draft {
  readonly edits: Edit[] = []
  readonly #call: ProgramCall
  readonly #source: string
  /** By the index of an argument: what stands there instead. */
  readonly #changed = new Map<number, readonly string[]>()
  #inserted: { at: number; words: readonly string[] } | null = null
  readonly #newOptions = new Set<string>()

  constructor(call: ProgramCall, source: string) {
    this.#call = call
    this.#source = source
  }

  /** False if a word that must change is not written in the command. */
  replace(replacements: Readonly<Record<string, string>>): boolean {
    const { options, operands, positions } = this.#call.parsed
    const done = new Set<string | Argument>()
    for (const { name, arg } of options) {
      if (!Object.hasOwn(replacements, name) || done.has(arg)) continue
      done.add(arg)
      const together = options.filter(option => option.arg === arg)
      if (!this.#put(this.#call.args.indexOf(arg), optionWords(together, arg, replacements))) return false
      const [last] = together.slice(-1)
      const value = last?.value ?? null
      // The value of an option that goes, if it is a word of its own, goes too.
      if (value && replacements[last?.name ?? ''] === '' && this.#call.args.includes(value))
        if (!this.#put(this.#call.args.indexOf(value), [])) return false
    }
    for (const [i, operand] of operands.entries()) {
      const key = keyOf(operand, replacements)
      if (key === null || done.has(key)) continue
      if (!key.endsWith('*')) done.add(key)
      const rest = operand.value.slice(key.length - 1)
      const words = (replacements[key] ?? '').split(' ').map(word => (word === '*' ? rest : word))
      if (!this.#put(positions[i] ?? -1, words)) return false
    }
    return true
  }

  insert(option: string, at: number): boolean {
    const words = option.split(' ')
    const placed = this.#placed()
    const [first] = this.#call.args
    const before = this.#call.args[at - 1]
    if (placed < Math.max(at, 1) || !first) return false
    this.#inserted = { at, words }
    const place = before ? before.span[1] : first.span[0]
    this.edits.push({ span: [place, place], text: before ? ` ${option}` : `${option} ` })
    return true
  }

  append(option: string): boolean {
    const dashes = this.#call.args.findIndex(({ value }) => value === '--')
    const placed = this.#placed()
    return this.insert(option, dashes < 0 ? placed : Math.min(dashes, placed))
  }

  args(): Argument[] {
    const { args, frame } = this.#call
    const changed = args.map((arg, i) => this.#changed.get(i)?.map(word => literal(word, frame.span)) ?? [arg])
    if (this.#inserted) {
      const { at, words } = this.#inserted
      changed.splice(
        at,
        0,
        words.map(word => literal(word, frame.span)),
      )
    }
    return changed.flat()
  }

  #put(index: number, words: readonly string[]): boolean {
    const arg = this.#call.args[index]
    if (!arg || !this.#isWritten(arg) || this.edits.length >= mostChanges) return false
    // What was quoted may need its quotes.
    if (!words.every(word => plainWord.test(word))) return false
    const once = words.filter(word => !word.startsWith('-') || !this.#newOptions.has(word))
    for (const word of once) this.#newOptions.add(word)
    this.#changed.set(index, once)
    const [from, to] = arg.span
    const span = once.length > 0 ? arg.span : ([this.#afterBlanksBefore(from), to] as const)
    this.edits.push({ span, text: once.join(' ') })
    return true
  }

  #afterBlanksBefore(at: number): number {
    let from = at
    while (from > 0 && /[ \t]/.test(this.#source[from - 1] ?? '')) from -= 1
    return from
  }

  /** How many arguments stand in the command one after the other: names that xargs adds, for instance, do not. */
  #placed(): number {
    const { args, frame } = this.#call
    const [start, end] = frame.span
    let at = start
    let previous: Argument | null = null
    let written = false
    let count = 0
    for (const arg of args) {
      const [from, to] = arg.span
      const isSameWord = previous?.span[0] === from && previous.span[1] === to
      if ((from < at && !isSameWord) || to > end || from === start) break
      written ||= this.#isWritten(arg)
      at = to
      previous = arg
      count += 1
    }
    return written ? count : 0
  }

  #isWritten({ value, span }: Argument): boolean {
    const text = this.#source.slice(...span)
    return text === value || (text.length === value.length + 2 && (text === `'${value}'` || text === `"${value}"`))
  }
}

/** `--force`, `--force=x`, or letters such as `-uf`, of which the others stay. */
function optionWords(
  options: readonly Option[],
  { value }: Argument,
  replacements: Readonly<Record<string, string>>,
): string[] {
  const [only] = options
  const isLetters = value.startsWith(`-${options.map(({ name }) => name.slice(1)).join('')}`) && only?.name.length === 2
  if (!isLetters) {
    const by = replacements[only?.name ?? ''] ?? ''
    const at = value.indexOf('=')
    return by === '' ? [] : [by + (at < 0 ? '' : value.slice(at))]
  }
  const before: string[] = []
  let letters = ''
  for (const { name } of options) {
    const by = Object.hasOwn(replacements, name) ? (replacements[name] ?? '') : name
    if (/^-[^-]$/.test(by)) letters += by.slice(1)
    else if (by !== '') before.push(by)
  }
  const kept = letters + value.slice(1 + options.length)
  return kept === '' ? before : [...before, `-${kept}`]
}

function keyOf({ value }: Argument, replacements: Readonly<Record<string, string>>): string | null {
  if (Object.hasOwn(replacements, value)) return value
  const prefix = `${value.slice(0, 1)}*`
  return value.length > 1 && Object.hasOwn(replacements, prefix) ? prefix : null
}
