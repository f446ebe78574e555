import { resolve } from 'node:path'
import { type Command, Option } from 'commander'
import { withGuardSetting } from '../../approval/guard-setting.ts'
import { projectRules } from '../../approval/project-rules.ts'
import { workspaceOf } from '../../approval/workspace.ts'
import { BeckonError, invalid } from '../../protocol/errors.ts'
import { alwaysLapsesAfter } from '../../protocol/limits.ts'
import type { CommandRule, RuleInput } from '../../protocol/rule.ts'
import type { Context } from '../context.ts'
import { readDuration } from '../durations.ts'
import { describeRule, formatRule } from '../output/describe-rule.ts'
import { exitCodes } from '../output/exit-codes.ts'
import { print } from '../output/print.ts'
import { printJson } from '../output/print-json.ts'
import { withHub, withStore } from '../with-hub.ts'

export function registerRules(program: Command, context: Context): void {
  const rules = program
    .command('rules')
    .summary('Manage the rules that decide for you')
    .description(
      'Manages the rules about commands, and those that answer questions. People make them; an agent can only list them.',
    )
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
    .option('--all', 'include removed and expired rules')
    .option('--json', 'print one JSON document')
    .addHelpText('after', listHelp)
    .action(async ({ all = false, json = false }: { all?: boolean; json?: boolean }) => {
      const own = await withHub(context, hub => hub.rules.list(all ? { all } : {}), { sweeps: false, wakes: false })
      const project = projectRules(context.cwd)
      if (json) await printJson(context.stdout, { rules: own, project })
      else {
        const lines = [...own.map(formatRule), ...project.map(rule => `project      ${describeRule(rule)}`)]
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
    .description('Adds a rule for every command that begins with these words, or with --exact for this command alone.')
    .usage('allow|ask|deny [options] -- command...')
    .argument('<verdict>', 'allow, ask or deny')
    .argument('<command...>', 'the command, or its first words, after --')
    .addOption(new Option('--exact', 'match exactly this command, in this directory').conflicts('prefix'))
    .option('--prefix', 'match every command that begins with these words; the default')
    .option('--within <folder>', 'where a prefix applies; by default the workspace around this directory')
    .option('--expires <duration>', 'such as 8h or 90d, or never; by default 30d for allow, never for ask and deny')
    .option('--note <text>', 'the reason, shown when the rule asks or refuses')
    .option('--json', 'print the rule as one JSON document')
    .addHelpText('after', addHelp)
    .action(async (verdict: string, words: string[], options: AddOptions) => {
      const input = await readRule(context, readVerdict(verdict), words, options)
      context.stderr.write(`beckon: ${describeRule(input)}\n`)
      const rule = await withStore(context, hub => hub.rules.add(input))
      await (options.json ? printJson(context.stdout, rule) : print(context.stdout, `${rule.id}\n`))
    })
}

function registerRemove(rules: Command, context: Context): void {
  rules
    .command('remove')
    .summary('Remove a rule')
    .description('Removes a rule; rules list --all still shows it.')
    .argument('<id>', 'the rule')
    .option('--json', 'print the rule as one JSON document')
    .addHelpText('after', removeHelp)
    .action(async (id: string, { json = false }: { json?: boolean }) => {
      const rule = await withStore(context, hub => hub.rules.remove(id))
      context.stderr.write(`beckon: removed ${rule.id}: ${describeRule(rule)}\n`)
      if (json) await printJson(context.stdout, rule)
      context.exitCode = exitCodes.fine
    })
}

/** What the flags say, as a rule. An allowance is refused where it would allow too much. */
async function readRule(
  context: Context,
  verdict: CommandRule['verdict'],
  words: string[],
  { exact = false, within, expires, note }: AddOptions,
): Promise<RuleInput> {
  const { planCommand } = await import('../../approval/plan.ts')
  const { alwaysFor } = await import('../../guard/index.ts')
  const { openKeyedHash } = await import('../../open-hub.ts')
  // A rule may be about what only a strict guard asks about, such as that of the built-in agent.
  const strict = { ...context, env: withGuardSetting(context.env, true) }
  const { decision, command, digest } = planCommand(words, strict, [], await openKeyedHash(context.env))
  const covers = [...new Set(decision.reasons.map(({ rule }) => rule))]
  const common = { verdict, note: note ?? null, covers, expires: await expiryOf(expires, verdict) }
  if (verdict === 'allow' && decision.severity === 'critical') throw neverAllowed('it could destroy too much')
  if (verdict === 'allow' && decision.verdict === 'deny') throw neverAllowed('it is always refused')
  if (verdict === 'allow' && decision.verdict === 'allow') throw nothingToAllow()
  if (exact) {
    if (verdict === 'allow' && !alwaysFor(decision, context.cwd).exact)
      throw neverAllowed('what it does is known only when it runs')
    return { scope: 'exact', ...common, command, cwd: context.cwd, digest }
  }
  const prefix = words.length === 1 ? command.trim().split(/\s+/) : words
  const { isOfferedPrefix } = await import('../../guard/user-rules/command-prefix.ts')
  if (verdict === 'allow' && !isOfferedPrefix(prefix)) throw tooWide()
  const folder = within === undefined ? workspaceOf(context.cwd) : resolve(context.cwd, within)
  return { scope: 'prefix', ...common, words: prefix, within: folder }
}

/** An allowance expires unless a person says never; asking and refusing do not. */
async function expiryOf(source: string | undefined, verdict: CommandRule['verdict']): Promise<number | null> {
  if (source === 'never') return null
  if (source !== undefined) return readDuration(source, '--expires')
  return verdict === 'allow' ? alwaysLapsesAfter : null
}

function readVerdict(source: string): CommandRule['verdict'] {
  if (source === 'allow' || source === 'ask' || source === 'deny') return source
  throw invalid([{ path: 'verdict', message: 'must be one of: allow, ask, deny' }])
}

function neverAllowed(why: string): BeckonError {
  return new BeckonError('invalid', `A rule cannot allow this: ${why}. Approve it each time.`)
}

function nothingToAllow(): BeckonError {
  return new BeckonError(
    'invalid',
    'The guard already allows this without asking. Name the command that it asks about, such as: git push --force',
  )
}

function tooWide(): BeckonError {
  return new BeckonError(
    'invalid',
    'This prefix would allow too much: programs that delete files or run other programs need --exact.',
  )
}

const exitCodeHelp = `
Exit codes:
  0   done                                               4   no such rule
  1   invalid, nothing was changed                       5   not allowed here (in an agent's shell)`

const help = `
A project's own rules are in .beckon/rules.json, in any folder from the directory up to the workspace's root. They can
ask and deny, and never allow: { "rules": [{ "verdict": "deny", "command": "npm publish", "reason": "CI does that" }] }

Examples:
  beckon rules
  beckon rules add allow --expires 8h -- git stash drop
  beckon rules add deny --note "use the staging cluster" -- kubectl delete
  beckon rules remove rul_01jz…
${exitCodeHelp}`

const listHelp = `
Examples:
  beckon rules list
  beckon rules list --all --json`

const addHelp = `
Examples:
  beckon rules add allow --expires 8h -- git stash drop
  beckon rules add allow --exact -- docker compose down -v
  beckon rules add ask --within ~/work/shop -- terraform apply
  beckon rules add deny --note "use the staging cluster" -- kubectl delete
${exitCodeHelp}`

const removeHelp = `
Examples:
  beckon rules remove rul_01jz…
${exitCodeHelp}`
