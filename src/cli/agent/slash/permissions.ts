import { relative } from 'node:path'
import type { ServerDecision } from '../../../agent/mcp/decisions.ts'
import { projectRules } from '../../../approval/project-rules.ts'
import type { Rule } from '../../../protocol/rule.ts'
import { harmlessTitle } from '../../../text/harmless.ts'
import { describeRule, formatRule } from '../../output/describe-rule.ts'
import type { SlashCommand, SlashContext } from './command.ts'

/** What a person decided for later: a rule of the hub, or about an MCP server of the project. */
interface Permission {
  /** As it is listed. */
  readonly line: string
  readonly short: string
  remove(): Promise<unknown>
}

export const permissions: SlashCommand = {
  name: '/permissions',
  usage: '[remove N]',
  summary: 'list what you decided for always here, and take it back',
  async run(context, rest) {
    const [, number] = /^remove\s+(\d+)$/.exec(rest) ?? []
    const list = await permissionsHere(context)
    if (rest === '') context.view.note(describeAll(list, context.cwd))
    else if (!number) context.view.note('Use /permissions, or /permissions remove N with a number of that list.')
    else await remove(context, list[Number(number) - 1])
    return undefined
  },
}

async function remove({ view, isPersonHere }: SlashContext, permission: Permission | undefined): Promise<void> {
  if (!isPersonHere) view.note('Only a person takes back what a person decided.', 'yellow')
  else if (!permission) view.note('There is no such number. /permissions lists them.')
  else {
    await permission.remove()
    view.note(`Removed: ${permission.short}.`)
  }
}

/** Those that count for this agent in this directory; `beckon rules` lists the rules of all. */
async function permissionsHere({ hub, cwd, loop }: SlashContext): Promise<Permission[]> {
  const rules = (await hub.rules.list()).filter(rule => isHere(rule, cwd))
  const decisions = loop.servers?.decisions() ?? []
  return [
    ...rules.map(rule => ({
      ...{ line: formatRule(rule), short: describeRule(rule) },
      remove: () => hub.rules.remove(rule.id),
    })),
    ...decisions.map(decision => ({
      ...{ line: `${describeDecision(decision)}, ${decision.at}`, short: describeDecision(decision) },
      remove: async () => loop.servers?.forget(decision),
    })),
  ]
}

function isHere(rule: Rule, cwd: string): boolean {
  switch (rule.scope) {
    case 'exact':
      return rule.cwd === cwd
    case 'prefix':
      return !relative(rule.within, cwd).startsWith('..')
    case 'answer':
      return rule.cwd === cwd && rule.agent === 'agent'
  }
}

function describeDecision({ name, file, allowed }: ServerDecision): string {
  return `${allowed ? 'start' : 'do not start'} the MCP server "${harmlessTitle(name)}" of ${harmlessTitle(file)}`
}

function describeAll(list: readonly Permission[], cwd: string): string {
  const ofProject = projectRules(cwd).map(rule => `project: ${describeRule(rule)}`)
  if (list.length + ofProject.length === 0) return 'Nothing is decided for always here: the agent asks each time.'
  const numbered = list.map(({ line }, i) => `${i + 1}. ${line}`)
  return [...numbered, ...ofProject, ...(list.length > 0 ? ['/permissions remove N takes one back.'] : [])].join('\n')
}
