import type { ProgramCall } from '../program-call.ts'
import type { GuardRule } from './rule.ts'

/** The rules of one program, by the word that a call must begin with. */
interface RulesOfProgram {
  byFirstWord: ReadonlyMap<string, readonly GuardRule[]>
  /** Those that hold whatever the first word is. */
  forAnyWord: readonly GuardRule[]
}

/**
 * Finds the rules that a call may match without trying all of them: git alone has dozens, and most are about one subcommand.
 * Those of a program are sorted at its first call: a command calls few.
 */
export class RuleIndex {
  readonly #written = new Map<string, GuardRule[]>()
  readonly #sorted = new Map<string, RulesOfProgram>()
  readonly #ofEveryProgram: readonly GuardRule[]

  constructor(all: readonly GuardRule[]) {
    for (const rule of all) {
      for (const program of [rule.program].flat()) {
        const own = this.#written.get(program)
        if (own) own.push(rule)
        else this.#written.set(program, [rule])
      }
    }
    this.#ofEveryProgram = (this.#written.get('*') ?? []).map(withEveryField)
    this.#written.delete('*')
  }

  /** Whether any rule covers this program in particular. */
  has(program: string): boolean {
    return this.#written.has(program)
  }

  /** Every rule that the call may match, in the order in which they are written. */
  for(call: ProgramCall): readonly GuardRule[] {
    const own = this.#sorted.get(call.program) ?? this.#sort(call.program)
    if (!own) return this.#ofEveryProgram
    if (own.byFirstWord.size === 0) return own.forAnyWord
    return own.byFirstWord.get(call.operands[0]?.value ?? '') ?? own.forAnyWord
  }

  #sort(program: string): RulesOfProgram | null {
    const own = this.#written.get(program)
    if (!own) return null
    const sorted = byFirstWord([...own.map(withEveryField), ...this.#ofEveryProgram])
    this.#sorted.set(program, sorted)
    return sorted
  }
}

function byFirstWord(rules: readonly GuardRule[]): RulesOfProgram {
  const words = new Set(rules.flatMap(firstWordsOf))
  return {
    byFirstWord: new Map(
      [...words].map(word => [word, rules.filter(rule => !rule.sub || firstWordsOf(rule).includes(word))]),
    ),
    forAnyWord: rules.filter(rule => !rule.sub),
  }
}

function firstWordsOf({ sub = [] }: GuardRule): string[] {
  return [sub].flat().map(words => words.split(' ')[0] ?? '')
}

/** Objects of one shape: an engine reads their fields several times as fast, and every command reads hundreds. */
function withEveryField(rule: GuardRule): GuardRule {
  const {
    id,
    program,
    sub,
    any,
    all,
    none,
    words,
    notWords,
    option,
    optionMatches,
    operandMatches,
    argMatches,
    lastOperand,
  } = rule
  const { operandIn, operand, git, strict, oneOf, unless, when, verdict, severity, reason, safer, rewrite } = rule
  const { match, notMatch } = rule
  const first = {
    id,
    program,
    sub,
    any,
    all,
    none,
    words,
    notWords,
    option,
    optionMatches,
    operandMatches,
    argMatches,
    lastOperand,
  }
  const second = { operandIn, operand, git, strict, oneOf, unless, when, verdict, severity, reason, safer, rewrite }
  return { ...first, ...second, match, notMatch } as GuardRule
}
