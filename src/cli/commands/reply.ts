import type { Command } from 'commander'
import { BeckonError } from '../../protocol/errors.ts'
import { limits } from '../../protocol/limits.ts'
import type { Request } from '../../protocol/request.ts'
import { notOwnRequest } from '../../system/agent-context.ts'
import { harmlessTitle } from '../../text/harmless.ts'
import { agentContext, isOwnToTalk } from '../agent-context.ts'
import type { Context } from '../context.ts'
import { SettledOtherwise } from '../output/errors.ts'
import { exitCodes } from '../output/exit-codes.ts'
import { printJson } from '../output/print-json.ts'
import { readText } from '../read-text.ts'
import { resumeCommand } from '../resume-command.ts'
import { IdArgument } from '../short-ids/arguments.ts'
import { withHub } from '../with-hub.ts'

export function registerReply(program: Command, context: Context): void {
  program
    .command('reply')
    .summary('Ask back on a request, or reply as its agent')
    .description(
      'Sends a message to the agent that asked, before you decide; the request stays open. In the shell of an agent, the agent itself replies, on its own requests.',
    )
    .addArgument(new IdArgument('<id>', 'the id of the request'))
    .argument('<text>', 'the message; - reads it from stdin')
    .option('--json', 'print the request as one JSON document')
    .addHelpText('after', help)
    .action(async (id: string, text: string, options: { json?: boolean }) => {
      context.exitCode = await reply(context, id, text, options)
    })
}

async function reply(context: Context, id: string, given: string, { json = false }): Promise<number> {
  const text = given === '-' ? await readText(context, '-', 'text', limits.message) : given
  const agent = agentContext(context)
  return withHub(context, async hub => {
    const request = await hub.get(id)
    const isAgent = agent.marker !== null
    if (isAgent && !(await isOwnToTalk(hub, request, agent, context))) throw notOwnRequest(id, agent, 'reply to')
    const sent = await hub.messages.send(id, { text, ...(isAgent ? { as: 'agent' } : {}) }).catch(nameWinner)
    context.stderr.write(`${isAgent ? sentByAgent(sent) : sentByPerson(sent)}\n`)
    if (json) await printJson(context.stdout, sent)
    return exitCodes.fine
  })
}

function sentByAgent(request: Request): string {
  return `Sent. ${request.id} is still open and not answered. To wait for the answer: ${resumeCommand(request)}`
}

function sentByPerson({ id, agent }: Request): string {
  return `Sent to ${harmlessTitle(agent.name)}. ${id} stays open until you decide.`
}

function nameWinner(error: unknown): never {
  if (!(error instanceof BeckonError) || error.code !== 'settled_otherwise') throw error
  throw new SettledOtherwise((error.details as { request: Request }).request)
}

const help = `
The agent gets the message where it can (see "canReply" in "beckon show ID --json"), and replies in the same thread. A
message decides nothing: the deadline goes on, and the request waits for your answer.

Examples:
  beckon reply req_01jz… "Which branch is this for?"
  git diff --stat | beckon reply req_01jz… -

Exit codes:
  0   sent                                               5   not allowed here, or the agent cannot be asked back
  1   invalid, nothing was sent                          6   the request is settled already
  4   no such request
  74  the hub cannot be reached or written; the same command again is safe`
