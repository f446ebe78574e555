import { resolve } from 'node:path'
import { type Command, Option } from 'commander'
import { projectRules } from '../../approval/project-rules.ts'
import { workspaceOf } from '../../approval/workspace.ts'
import { BeckonError, invalid } from '../../protocol/errors.ts'
import { alwaysLapsesAfter } from '../../protocol/limits.ts'
import type { Rule, RuleInput, RuleScope } from '../../protocol/rule.ts'
import { harmlessTitle } from '../../text/harmless.ts'
import type { Context } from '../context.ts'
import { readDuration } from '../durations.ts'
import { exitCodes } from '../output/exit-codes.ts'
import { print } from '../output/print.ts'
import { printJson } from '../output/print-json.ts'
import { withHub, withStore } from '../with-hub.ts'

export function registerRules(program: Command, context: Context): void {
  const rules = program
    .command('rules')
    .summary('Manage the rules that allow, ask about or deny commands')
    .description('Rules about commands. They are made by people; an agent may list them.')
    .addHelpText('after', help)
  registerList(rules, context)
  registerAdd(rules, context)
  registerRemove(rules, context)
}

function registerList(rules: Command, context: Context): void {
  rules
    .command('list', { isDefault: true })
    .summary('List the rules')
    .description('Lists the rules in force, and those of the project.')
    .addHelpText('after', '\nExamples:\n  beckon rules list\n  beckon rules list --all --json')
    .option('--all', 'also those that were removed or have expired')
    .option('--json', 'print one JSON document')
    .action(async ({ all = false, json = false }: { all?: boolean; json?: boolean }) => {
      const own = await withHub(context, hub => hub.rules.list(all ? { all } : {}), { sweeps: false, wakes: false })
      const project = projectRules(context.cwd)
      if (json) await printJson(context.stdout, { rules: own, project })
      else {
        const lines = [...own.map(lineOf), ...project.map(rule => `project      ${inWords(rule)}`)]
        await print(context.stdout, lines.length > 0 ? `${lines.join('\n')}\n` : 'No rules.\n')
      }
    })
}

interface AddOptions {
  exact?: boolean
  prefix?: boolean
  within?: string
  expires?: string
  note?: string
  json?: boolean
}

function registerAdd(rules: Command, context: Context): void {
  rules
    .command('add')
    .summary('Add a rule')
    .description('Adds a rule. Without --exact it covers every command that begins with these words.')
    .addHelpText('after', addHelp)
    .usage('allow|ask|deny [options] -- command...')
    .argument('<verdict>', 'allow, ask or deny')
    .argument('<command...>', 'the command, or how it begins, after --')
    .addOption(new Option('--exact', 'exactly this command, in this directory').conflicts('prefix'))
    .option('--prefix', 'all that begins with these words; so it is unless --exact is given')
    .option('--within <folder>', 'where a beginning is meant; the workspace around this directory unless given')
    .option('--expires <duration>', 'such as 8h or 90d, or never; allowing lasts 30d unless given')
    .option('--note <text>', 'why; shown where the rule asks or refuses')
    .option('--json', 'print the rule as one JSON document')
    .action(async (verdict: string, words: string[], options: AddOptions) => {
      const input = await inputOf(context, readVerdict(verdict), words, options)
      context.stderr.write(`beckon: ${inWords(input)}\n`)
      const rule = await withStore(context, hub => hub.rules.add(input))
      await (options.json ? printJson(context.stdout, rule) : print(context.stdout, `${rule.id}\n`))
    })
}

function registerRemove(rules: Command, context: Context): void {
  rules
    .command('remove')
    .summary('Remove a rule')
    .description('Removes a rule. It stays in the list of --all.')
    .addHelpText('after', '\nExamples:\n  beckon rules remove rul_01jz…')
    .argument('<id>', 'the rule')
    .option('--json', 'print the rule as one JSON document')
    .action(async (id: string, { json = false }: { json?: boolean }) => {
      const rule = await withStore(context, hub => hub.rules.remove(id))
      context.stderr.write(`beckon: ${rule.id} is removed: ${inWords(rule)}\n`)
      if (json) await printJson(context.stdout, rule)
      context.exitCode = exitCodes.fine
    })
}

async function inputOf(
  context: Context,
  verdict: Rule['verdict'],
  words: string[],
  { exact = false, within, expires, note }: AddOptions,
): Promise<RuleInput> {
  const { planFor } = await import('../../approval/plan.ts')
  const plan = planFor(context, words, [])
  const { decision, command, digest } = plan
  const covers = [...new Set(decision.reasons.map(({ rule }) => rule))]
  const common = { verdict, note: note ?? null, covers, expires: await expiryOf(expires, verdict) }
  if (verdict === 'allow' && decision.severity === 'critical') throw neverAllowed('it could destroy too much')
  if (verdict === 'allow' && decision.verdict === 'deny') throw neverAllowed('it is always refused')
  if (verdict === 'allow' && decision.verdict === 'allow') throw nothingToAllow()
  if (exact) {
    if (verdict === 'allow' && !plan.action.always?.exact) throw neverAllowed('what it does is known only when it runs')
    return { scope: 'exact', ...common, command, cwd: context.cwd, digest }
  }
  const beginning = words.length === 1 ? command.trim().split(/\s+/) : words
  const { isPrefix } = await import('../../guard/user-rules/arity.ts')
  if (verdict === 'allow' && !isPrefix(beginning)) throw noBeginning()
  const folder = within === undefined ? workspaceOf(context.cwd) : resolve(context.cwd, within)
  return { scope: 'prefix', ...common, words: beginning, within: folder }
}

/** An allowance ends some day, unless a person says never; asking and refusing need no end. */
async function expiryOf(source: string | undefined, verdict: Rule['verdict']): Promise<number | null> {
  if (source === 'never') return null
  if (source !== undefined) return readDuration(source, 'expires')
  return verdict === 'allow' ? alwaysLapsesAfter : null
}

function readVerdict(source: string): Rule['verdict'] {
  if (source === 'allow' || source === 'ask' || source === 'deny') return source
  throw invalid([{ path: 'verdict', message: 'must be one of: allow, ask, deny' }])
}

function neverAllowed(why: string): BeckonError {
  return new BeckonError('invalid', `This is never allowed for always: ${why}. Approve it each time.`)
}

function nothingToAllow(): BeckonError {
  return new BeckonError(
    'invalid',
    'The guard runs this without asking. Write the rule with what it was asked about, such as: git push --force',
  )
}

function noBeginning(): BeckonError {
  return new BeckonError(
    'invalid',
    'This beginning would allow too much: programs that run other programs, or delete, have none. Use --exact for one command.',
  )
}

type Worded = Pick<RuleInput, 'verdict'> &
  ({ scope: 'exact'; command: string; cwd: string } | { scope: 'prefix'; words: string[]; within: string })

function inWords(rule: Worded): string {
  const scopes: Record<RuleScope, string> = { exact: 'exactly', prefix: 'what begins with' }
  const [what, where] = rule.scope === 'exact' ? [rule.command, rule.cwd] : [rule.words.join(' '), rule.within]
  return `${rule.verdict} ${scopes[rule.scope]} "${harmlessTitle(what)}" in ${harmlessTitle(where)}`
}

function lineOf(rule: Rule): string {
  const { id, by, at, expiresAt, removedAt, removedBy, note } = rule
  const end = removedAt
    ? `removed by ${harmlessTitle(removedBy ?? '')} ${removedAt}`
    : expiresAt
      ? `until ${expiresAt}`
      : 'for good'
  const why = note ? `: ${harmlessTitle(note)}` : ''
  return `${id}  ${inWords(rule)}, by ${harmlessTitle(by)} ${at}, ${end}${why}`
}

const addHelp = `
Examples:
  beckon rules add allow --expires 8h -- git push --force-with-lease
  beckon rules add allow --exact -- npm publish --tag next
  beckon rules add deny --note "use the staging cluster" -- kubectl delete`

const help = `
A project's own rules are in .beckon/rules.json, from the directory up to the workspace's root; they may ask and deny,
and never allow: { "rules": [{ "verdict": "deny", "command": "npm publish", "reason": "CI does that" }] }

Examples:
  beckon rules add allow --expires 8h -- git push --force-with-lease
  beckon rules add allow --exact -- npm publish --tag next
  beckon rules add deny --note "use the staging cluster" -- kubectl delete
  beckon rules remove rul_01jz…

Exit codes:
  0   done                                               4   no such rule
  1   invalid, nothing was changed                       5   not allowed here (in an agent's shell)`
