import type { Analysis } from '../interpret/analysis.ts'
import { type Grammar, joinGrammars } from '../parse-args.ts'
import type { ProgramCall } from '../program-call.ts'
import { type Edit, spanOver } from '../safer-command.ts'
import type { Finding } from '../verdict.ts'
import { beckon } from './beckon/index.ts'
import { cloud } from './cloud/index.ts'
import { meetsRest } from './condition.ts'
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
import { rewriteCall } from './rewrite.ts'
import type { Domain, GuardRule } from './rule.ts'
import { RuleIndex } from './rule-index.ts'
import { secrets } from './secrets/index.ts'
import { shell } from './shell/index.ts'
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
  shell,
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

const index = new RuleIndex(domains.flatMap(({ rules }) => rules))

/** Whether any rule covers this program in particular. */
export function hasRules(program: string): boolean {
  return index.has(program)
}

const ofStrictGuard = new Set(domains.flatMap(({ rules }) => rules.filter(rule => rule.strict).map(({ id }) => id)))

/** Whether only a strict guard asks because of this rule. */
export function isOfStrictGuard(id: string): boolean {
  return ofStrictGuard.has(id)
}

/** Reports every rule that the call matches. */
export function checkRules(call: ProgramCall, analysis: Analysis): void {
  for (const rule of index.for(call)) {
    const found = meetsRest(call, rule)
    if (!found) continue
    if (isHarmless(call)) return
    const span = found === true ? call.frame.span : found.span
    const { id, reason, severity, verdict = 'ask', safer = null } = rule
    const finding: Finding = { rule: id, message: reason, span, verdict, severity, safer }
    const edits = editsFor(rule, call, analysis)
    analysis.report(edits ? { ...finding, span: spanOver(span, edits), edits } : finding)
  }
}

/** How the rule would have the call written, if the call can be. */
function editsFor(rule: GuardRule, call: ProgramCall, { source }: Analysis): readonly Edit[] | null {
  if (!rule.rewrite) return null
  const isSafe = (safer: ProgramCall) => !meetsRest(safer, rule) || isHarmless(safer)
  return rewriteCall(rule.rewrite, rule.sub, call, source, isSafe)
}

function isHarmless(call: ProgramCall): boolean {
  return call.parsed.options.some(({ name, value }) => {
    if (name === '--help' || name === '-help') return true
    if (name === '--version') return value === null
    return name === '--dry-run' && value?.value !== 'none' && value?.value !== 'false'
  })
}
