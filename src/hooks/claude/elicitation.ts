import type { QuestionRequest } from '../../protocol/request.ts'
import { askAside } from '../ask-about-call.ts'
import { type HookHost, type HookReply, silence } from '../hook.ts'
import { fieldsOf as fieldsIn } from '../input.ts'
import { leavesToSetup } from './beside-setup.ts'
import { contentOf, type Field, fieldsOf, questionOf } from './form-fields.ts'
import { elicitationResult } from './replies.ts'
import { agentName, openCalls, sessionOf } from './session.ts'

/** An MCP server asks the person with a form: every field is a question. What does not fit its field is asked again. */
export async function onElicitation(input: unknown, host: HookHost): Promise<HookReply> {
  // A page to open is for the person at the terminal.
  const { mode = 'form', requested_schema: schema } = fieldsIn(input)
  if (mode !== 'form' || leavesToSetup(host)) return silence
  const fields = fieldsOf(schema)
  const { hub } = await host.open()
  for (let problem: string | null = null; ; ) {
    const settled = await askAside(host, {
      ask: askOf(input, fields, problem, host.run),
      calls: openCalls(host, sessionOf(input).id),
      withdrawnAtLimit: "The hook's time is up",
    })
    if (settled === null) return silence
    await hub.confirmDelivery(settled.id)
    if (settled.kind !== 'question' || settled.status !== 'answered') {
      return elicitationResult(['declined', 'skipped'].includes(settled.status) ? 'decline' : 'cancel')
    }
    const read: ReturnType<typeof contentOf> = readForm(fields, settled)
    if ('content' in read)
      return elicitationResult(read.accepted ? 'accept' : 'decline', read.accepted ? read.content : undefined)
    problem = read.problem
  }
}

function readForm(fields: readonly Field[], request: QuestionRequest) {
  return contentOf(fields, request.outcome?.answers ?? [])
}

function askOf(input: unknown, fields: readonly Field[], problem: string | null, run: string | null) {
  const { id: session, cwd } = sessionOf(input)
  const { mcp_server_name: server = 'unknown', message = '' } = fieldsIn(input)
  const asks = `The MCP server ${server} asks through Claude${message ? `:\n\n${message}` : '.'}`
  return {
    kind: 'question' as const,
    run,
    session,
    agent: { name: agentName, cwd },
    context: problem === null ? asks : `${asks}\n\n${problem}`,
    // An optional field can be left empty only where the whole form may be.
    required: fields.every(({ required }) => required),
    questions:
      fields.length === 0
        ? [{ id: accept, question: String(message || 'Accept?'), options: ['accept', 'decline'] }]
        : fields.map(questionOf),
  }
}

const accept = 'accept'
