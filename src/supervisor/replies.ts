import { writeOutcome, writeReply } from '../blocks/reply/replies.ts'
import type { HubApi } from '../protocol/hub.ts'
import type { Request } from '../protocol/request.ts'
import { secretTypes } from '../protocol/status.ts'
import { answerValue } from '../rules/validate-answers.ts'

export interface ReplyOptions {
  reply: 'raw' | 'json'
  /** Whether the agent gets a secret itself, or a reference for `beckon need --ref`. */
  secrets: 'value' | 'ref'
  /** Called before a secret is handed over, so that no log contains it. */
  onSecret: (value: string) => void
}

/** What the agent reads on its stdin once its request is settled. */
export async function replyTo(hub: HubApi, request: Request, options: ReplyOptions): Promise<string> {
  const { outcome } = request
  if (!outcome) throw new Error(`${request.id} is not settled.`)
  switch (request.kind) {
    case 'question': {
      const [question] = request.questions
      const [answer] = outcome.answers
      const value = question && answer ? answerValue(answer, question.multiSelect) : null
      if (options.reply === 'json') return writeOutcome(request.id, value, outcome)
      return writeReply({ type: 'answer', value: Array.isArray(value) ? value.join(', ') : value })
    }
    case 'dependency':
      return replyToDependency(hub, request, options)
    case 'review': {
      const approved = outcome.status === 'answered' && outcome.answers[0]?.selected[0] === 'approve'
      const phase = request.phase === null ? {} : { phase: String(request.phase) }
      const feedback = request.feedback ?? outcome.note ?? outcome.reason
      if (approved)
        return writeReply({ type: 'review-approved', ...phase, ...(feedback ? { feedback } : {}), id: request.id })
      return writeReply({ type: 'review-rejected', ...phase, feedback: feedback ?? outcome.status, id: request.id })
    }
    case 'approval':
      return writeReply({ type: 'answer', value: outcome.answers[0]?.selected[0] ?? 'no' })
  }
}

async function replyToDependency(
  hub: HubApi,
  request: Extract<Request, { kind: 'dependency' }>,
  { secrets, onSecret }: ReplyOptions,
): Promise<string> {
  const { id, name, outcome } = request
  if (outcome?.status !== 'answered') {
    const reason = outcome?.reason ?? outcome?.status ?? 'not provided'
    return writeReply({ type: 'dependency-not-provided', name, reason, id })
  }
  if (secrets === 'ref' && outcome.reference !== undefined) {
    return writeReply({ type: 'dependency-provided', name, ref: outcome.reference, id })
  }
  // `again`: after a crash the same run may open the value a second time.
  const { value } = await hub.use(id, { again: true })
  if (value !== null && secretTypes.includes(request.type)) onSecret(value)
  return writeReply({ type: 'dependency-provided', name, value: value ?? '', id })
}
