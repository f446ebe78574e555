import {
  type AnswerGiven,
  type ApprovalRequest,
  alwaysLapsesAfter,
  type DependencyRequest,
  invalid,
  type Outcome,
  type ParsedAnswer,
  type ParsedRule,
  type Question,
  type RuleScope,
  referenceOf,
  ruleScopes,
} from '../protocol/index.ts'
import { normaliseAnswers } from '../rules/answers.ts'
import { mayApprove, needsCarefulChannel } from '../rules/careful-channel.ts'
import { type Place, validateDependencyValue } from '../rules/dependency-value.ts'
import { type Actor, defaultAnswers, outcome, sameDecision } from '../rules/outcomes.ts'
import { alwaysLabels, questionsOf } from '../rules/questions.ts'
import type { NewEvent, RequestRecord } from '../store/records.ts'
import { AfterCommit, type Store, type Transaction } from '../store/store.ts'
import { showRequest } from './to-protocol.ts'

/** What a person decided, before it is stored; `value` is what has to be sealed. */
export interface Decision {
  outcome: Outcome
  value?: string
  /** What the yes allows from now on. */
  rule?: ParsedRule
}

/** Reads an answer against its request. Throws when it is none; a `no` comes back as a decline. */
export function decideAnswer(
  record: RequestRecord,
  input: ParsedAnswer,
  actor: Actor,
  at: number,
  place: Place,
): Decision {
  const request = showRequest(record)
  if (request.kind === 'dependency') return decideDependency(request, input, actor, at, place)
  const answers = readAnswers(questionsOf(request), request.required, input)
  const chosen = answers[0]?.selected[0]
  const { note } = input
  const words = note ?? answers[0]?.note
  if (request.kind === 'approval' && chosen === 'no') {
    return { outcome: outcome('declined', actor, at, { note: words, reason: words ?? 'Not approved' }) }
  }
  if (request.kind === 'approval') return decideApproval(request, chosen, answers, input, actor, at)
  if (input.edited !== undefined) throw invalid([{ path: 'edited', message: 'is for approvals alone' }])
  if (request.kind === 'review' && chosen === undefined) {
    throw invalid([{ path: 'answer', message: 'must be one of: approve, changes' }])
  }
  if (request.kind === 'review' && chosen === 'changes' && !answers[0]?.text?.trim()) {
    throw invalid([{ path: 'text', message: 'say what should be changed' }])
  }
  return { outcome: outcome('answered', actor, at, { answers, note }) }
}

/** A yes, perhaps to something else than was proposed, perhaps for always. */
function decideApproval(
  request: ApprovalRequest,
  chosen: string | undefined,
  answers: AnswerGiven[],
  { note, edited }: ParsedAnswer,
  actor: Actor,
  at: number,
): Decision {
  if (!mayApprove(request.action.severity, actor.channel)) throw needsCarefulChannel()
  const always = ruleScopes.find(scope => alwaysLabels[scope] === chosen)
  if (always === undefined) return { outcome: outcome('answered', actor, at, { answers, note, edited }) }
  if (edited !== undefined) {
    throw invalid([{ path: 'edited', message: 'is for once: a rule would allow what was proposed' }])
  }
  const yes = answers.map(answer => ({ ...answer, selected: ['yes'] }))
  return {
    outcome: outcome('answered', actor, at, { answers: yes, note, always }),
    rule: ruleOf(request, always, note),
  }
}

/** Passing over is for what is optional; the default, if any, is its value. */
export function decideSkip(record: RequestRecord, note: string | null | undefined, actor: Actor, at: number): Decision {
  if (record.required) throw invalid([{ path: '', message: `${record.id} is required and cannot be skipped` }])
  const request = showRequest(record)
  const answers = request.kind === 'question' ? defaultAnswers(request.questions) : []
  return { outcome: outcome('skipped', actor, at, { answers, note }) }
}

export interface Settled {
  won: boolean
  replay: boolean
  record: RequestRecord
}

type IsSame = (winner: RequestRecord) => boolean | Promise<boolean>

/** One compare-and-set: the first decision wins, the same one again is a replay, another is told who won. */
export async function settle(
  tx: Transaction,
  record: RequestRecord,
  decision: Outcome,
  { isSame = winner => sameAsWinner(winner, decision), data = {} }: { isSame?: IsSame; data?: NewEvent['data'] } = {},
): Promise<Settled> {
  const settled = record.status === 'pending' ? await tx.settle(record.id, decision, await tx.now()) : null
  if (!settled) return lost((await tx.request(record.id)) ?? record, isSame)
  const event = eventOf(settled, decision)
  tx.append({ ...event, data: { ...event.data, ...data } })
  return { won: true, replay: false, record: settled }
}

/** The same on the way to the commit, for a change that has nothing left to do afterwards. */
export async function settleAtCommit(
  store: Store,
  tx: Transaction,
  seen: RequestRecord,
  decision: Outcome,
): Promise<Settled | AfterCommit<Settled>> {
  const isSame: IsSame = winner => sameAsWinner(winner, decision)
  if (seen.status !== 'pending') return lost(seen, isSame)
  const settled = tx.settleAtCommit(seen.id, decision, await tx.now(), eventOf(seen, decision))
  return new AfterCommit(async () => {
    const record = settled()
    if (record) return { won: true, replay: false, record }
    return lost((await store.read(view => view.request(seen.id))) ?? seen, isSame)
  })
}

async function lost(winner: RequestRecord, isSame: IsSame): Promise<Settled> {
  return { won: false, replay: await isSame(winner), record: winner }
}

function eventOf({ id, run }: RequestRecord, { status, by, channel }: Outcome): NewEvent {
  return { type: `request.${status}`, request: id, run, data: { by, channel } }
}

function sameAsWinner(winner: RequestRecord, decision: Outcome): boolean {
  return winner.outcome !== null && sameDecision(winner.outcome, decision)
}

function readAnswers(questions: Question[], required: boolean, input: ParsedAnswer): AnswerGiven[] {
  const result = normaliseAnswers(questions, required, input)
  if ('problems' in result) throw invalid(result.problems)
  return result.answers
}

function decideDependency(
  request: DependencyRequest,
  input: ParsedAnswer,
  actor: Actor,
  at: number,
  place: Place,
): Decision {
  if (input.answers?.length || Array.isArray(input.value)) {
    throw invalid([{ path: 'answers', message: 'a dependency takes one value' }])
  }
  const verdict = validateDependencyValue(request.type, input.value ?? '', place)
  const { note } = input
  if (!verdict.valid) throw invalid([{ path: 'value', message: verdict.error }])
  if (verdict.declines)
    return { outcome: outcome('declined', actor, at, { note, reason: note ?? 'Permission refused' }) }
  return { outcome: outcome('answered', actor, at, { note, reference: referenceOf(request.id) }), value: verdict.value }
}

function ruleOf({ action }: ApprovalRequest, scope: RuleScope, note: string | null | undefined): ParsedRule {
  const { command, cwd, digest, reasons, always } = action
  const common = {
    verdict: 'allow' as const,
    note: note ?? null,
    covers: [...new Set(reasons.map(({ rule }) => rule))],
    expires: alwaysLapsesAfter,
  }
  if (scope === 'exact') return { scope, ...common, command, cwd, digest }
  if (!always?.prefix) throw invalid([{ path: 'answer', message: 'there is no beginning to allow' }])
  return { scope, ...common, ...always.prefix }
}
