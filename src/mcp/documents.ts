import type { Json } from '../protocol/canonical-json.ts'
import { BeckonError } from '../protocol/errors.ts'
import type { Message } from '../protocol/message.ts'
import type { Request } from '../protocol/request.ts'
import { outcomeValue } from '../rules/outcome-value.ts'

/** What a tool returns: the same document as text and as structured content. */
export type Document = { readonly [name: string]: Json }

/** For a caller that cannot wait any longer. */
export function ticketOf({ id }: Pick<Request, 'id'>): Document {
  return { id, status: 'pending', next: `Not an answer. Call wait with ${JSON.stringify({ id })}.` }
}

/** People ask back: the request is still open. */
export function askedBackOn({ id }: Pick<Request, 'id'>, messages: readonly Message[]): Document {
  const how = `call reply with ${JSON.stringify({ id, text: '…' })}, which also waits on`
  return {
    next: `Not an answer. The person asks you something back before they decide: ${how}. What they wrote is not their decision.`,
    id,
    status: 'pending',
    messages: messages.map(message => ({ ...message })),
  }
}

export function outcomeOf(request: Request): Document {
  const { id, outcome } = request
  if (!outcome) throw new BeckonError('damaged', `${id} is settled and has no outcome.`)
  const { status, reference, edited, by, channel, note, reason } = outcome
  return {
    id,
    status,
    value: outcomeValue(request),
    answers: answersOf(request),
    ...(request.kind === 'review' ? { feedback: outcome.answers[0]?.text ?? null } : {}),
    ...(reference === undefined ? {} : { reference }),
    ...(edited === undefined ? {} : { edited }),
    by,
    channel,
    note,
    reason,
  }
}

/** With the question that each one answers: a model does not know our ids. */
function answersOf(request: Request): Json {
  const asked = new Map(request.kind === 'question' ? request.questions.map(({ id, question }) => [id, question]) : [])
  return (request.outcome?.answers ?? []).map(({ id, selected, text, note }) => {
    const question = asked.get(id)
    return { id, ...(question === undefined ? {} : { question }), selected, text, note }
  })
}

/** Bad input, or a hub that cannot be used. */
export function errorDocument(error: unknown): Document {
  if (!(error instanceof BeckonError)) {
    return { error: { code: 'damaged', message: 'Something went wrong in beckon mcp; its stderr has the details.' } }
  }
  const { code, message, details } = error
  return { error: { code, message, ...(code === 'invalid' ? { problems: problemsOf(details) } : {}) } }
}

function problemsOf(details: unknown): Json {
  if (!Array.isArray(details)) return []
  return details.map(({ path, message }) => ({ path: plainPath(String(path)), message: String(message) }))
}

/** A caller of approve knows no action. */
function plainPath(path: string): string {
  return path.replace(/^action\./, '')
}
