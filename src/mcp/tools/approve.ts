import type * as z from 'zod'
import { jsonSchema } from '../../protocol/json-schema.ts'
import { limits } from '../../protocol/limits.ts'
import { text } from '../../protocol/text.ts'
import { decidedByGuard } from '../approving/documents.ts'
import { type Proposed, propose } from '../approving/propose.ts'
import { resultFor } from '../settled.ts'
import { filled, oneLine } from './texts.ts'
import { fields, tool } from './tool.ts'

const approveInput = fields({
  command: filled(limits.command).optional().describe('A command line, as a shell would read it.'),
  cwd: filled(limits.path).optional().describe('The directory that it would run in.'),
  why: text(limits.context).optional().describe('What it is for; the person sees it beside the command.'),
  tool: oneLine(limits.name).optional().describe('Instead of a command: the name of the tool that you want to call.'),
  input: jsonSchema.optional().describe('The exact input of that tool.'),
}).superRefine(({ command, tool, input }, context) => {
  const refuse = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message })
  if (command === undefined && tool === undefined)
    refuse('command', 'is missing; give a command, or a tool and its input')
  if (command !== undefined && tool !== undefined) refuse('tool', 'cannot be combined with a command')
  if (tool !== undefined && input === undefined) refuse('input', 'is missing')
  if (tool === undefined && input !== undefined) refuse('input', 'belongs to a tool')
})

export const approveTool = tool({
  name: 'approve',
  title: 'Ask before a dangerous action',
  description:
    'Before you run a command or make a call that could do damage, ask whether you may. The guard judges it; where it sees danger, a person decides. Nothing is run. "verdict" is "allow", "deny" or, while nobody has decided, "ask". After a yes to a command, run it as "next" says: a yes is for exactly this command, once, within 15 minutes.',
  input: approveInput,
  async call(given, call) {
    const proposed = proposedBy(given)
    const proposal = await propose(call, proposed, given)
    const { verdict, rule } = proposal
    if (verdict === 'deny' || (verdict === 'allow' && rule === null)) return decidedByGuard(proposal)
    const { raiseCall } = await import('../../tool-calls/raise-call.ts')
    const ask = { ...proposal.ask, canReply: true }
    const request = await call.wait(await raiseCall(call.hub, { ...proposal, ask }))
    return resultFor(call, request, 'tool' in proposed ? proposed : undefined)
  },
})

function proposedBy({ command, tool = '', input = null }: z.output<typeof approveInput>): Proposed {
  return command === undefined ? { tool, input } : { command }
}
