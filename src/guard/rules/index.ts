import type { Analysis } from '../interpret/analysis.ts'
import type { Argument } from '../interpret/arguments.ts'
import { type Grammar, joinGrammars } from '../parse-args.ts'
import type { ProgramCall } from '../program-call.ts'
import { beckon } from './beckon/index.ts'
import { cloud } from './cloud/index.ts'
import { containers } from './containers/index.ts'
import { databases } from './databases/index.ts'
import { disk } from './disk/index.ts'
import { filesystem } from './filesystem/index.ts'
import { git } from './git/index.ts'
import { infrastructure } from './infrastructure/index.ts'
import { interpreters } from './interpreters/index.ts'
import { kubernetes } from './kubernetes/index.ts'
import { network } from './network/index.ts'
import { packages } from './packages/index.ts'
import type { Domain, GuardRule } from './rule.ts'
import { secrets } from './secrets/index.ts'
import { system } from './system/index.ts'
import { windows } from './windows/index.ts'

export const domains: readonly Domain[] = [
  filesystem,
  disk,
  git,
  databases,
  cloud,
  kubernetes,
  infrastructure,
  containers,
  packages,
  system,
  network,
  secrets,
  interpreters,
  windows,
  beckon,
]

// Several domains may describe the same program.
const grammarByProgram = new Map<string, Grammar>()
for (const [program, grammar] of domains.flatMap(domain => Object.entries(domain.grammar))) {
  const earlier = grammarByProgram.get(program)
  grammarByProgram.set(program, earlier ? joinGrammars(earlier, grammar) : grammar)
}
export const grammars: ReadonlyMap<string, Grammar> = grammarByProgram

const byProgram = new Map<string, GuardRule[]>()
for (const rule of domains.flatMap(({ rules }) => rules)) {
  for (const program of [rule.program].flat()) byProgram.set(program, [...(byProgram.get(program) ?? []), rule])
}

const aboutEveryProgram = byProgram.get('*') ?? []

/** Whether any rule covers this program in particular. */
export function hasRules(program: string): boolean {
  return byProgram.has(program)
}

const ofStrictGuard = new Set(domains.flatMap(({ rules }) => rules.filter(rule => rule.strict).map(({ id }) => id)))

/** Whether only a strict guard asks because of this rule. */
export function isOfStrictGuard(id: string): boolean {
  return ofStrictGuard.has(id)
}

/** Reports every rule that the call matches. */
export function checkRules(call: ProgramCall, analysis: Analysis): void {
  const rules = [...(byProgram.get(call.program) ?? []), ...aboutEveryProgram]
  for (const rule of rules) {
    const found = matchOf(rule, call)
    if (!found) continue
    if (isHarmless(call)) return
    const span = found === true ? call.frame.span : found.span
    const { id, reason, severity, verdict = 'ask', safer = null } = rule
    analysis.report({ rule: id, message: reason, span, verdict, severity, safer })
  }
}

function isHarmless(call: ProgramCall): boolean {
  return call.parsed.options.some(({ name, value }) => {
    if (name === '--help') return true
    if (name === '--version') return value === null
    return name === '--dry-run' && value?.value !== 'none' && value?.value !== 'false'
  })
}

function matchOf(rule: GuardRule, call: ProgramCall): boolean | Argument {
  const { sub, any, all, none, operand, git, strict, when } = rule
  if ((strict && !call.context.strict) || (git && !call.context.gitState)) return false
  let words = 0
  if (sub !== undefined) {
    const found = [sub].flat().find(one => call.isSub(one))
    if (found === undefined) return false
    words = found.split(' ').length
  }
  if (any && !call.has(...any)) return false
  if (all && !all.every(name => call.has(name))) return false
  if (none && call.has(...none)) return false
  const shown = operand ? call.after(words).find(arg => operand(arg, call) && isHeld(arg)) : true
  if (!shown) return false
  const said = when ? when(call) : true
  return said === true ? shown : said

  /** Asked last, because it is the one question that reaches beyond the command. */
  function isHeld(arg: Argument): boolean {
    if (!git) return true
    const state = call.gitState(arg)
    return state !== null && git.includes(state)
  }
}
