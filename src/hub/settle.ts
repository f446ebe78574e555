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
  settlingEvent,
} from '../protocol/index.ts'
import { actionText } from '../rules/action-text.ts'
import { mayApprove, needsCarefulChannel } from '../rules/careful-channel.ts'
import { type FileContext, validateDependencyValue } from '../rules/dependency-value.ts'
import { type Attribution, defaultAnswers, outcome, sameDecision, unexplained } from '../rules/outcomes.ts'
import { alwaysLabels, questionsOf } from '../rules/questions.ts'
import { normaliseAnswers } from '../rules/validate-answers.ts'
import type { NewEvent, RequestRecord } from '../store/records.ts'
import { AfterCommit, type Store, type Transaction } from '../store/store.ts'
import { toRequest } from './to-protocol.ts'

/** What a person decided, before it is stored. */
export interface Decision {
  outcome: Outcome
  /** What has to be sealed. */
  value?: string
  /** What the yes allows from now on. */
  rule?: ParsedRule
  /** How long the same ask is answered so from now on, in milliseconds. */
  alwaysFor?: number
}

/** Checks an answer against its request and throws where it is invalid. A `no` becomes a decline. */
export function decideAnswer(
  record: RequestRecord,
  input: ParsedAnswer,
  attribution: Attribution,
  at: number,
  files: FileContext,
): Decision {
  const request = toRequest(record)
  if (request.kind === 'dependency') return decideDependency(request, input, attribution, at, files)
  if (request.kind === 'approval') return decideYesOrNo(request, input, attribution, at)
  const answers = readAnswers(questionsOf(request), request.required, input)
  const chosen = answers[0]?.selected[0]
  const { note } = input
  if (request.kind === 'review' && chosen === undefined) {
    throw invalid([{ path: 'answer', message: 'must be one of: approve, changes' }])
  }
  if (request.kind === 'review' && chosen === 'changes' && !answers[0]?.text?.trim()) {
    throw invalid([{ path: 'text', message: 'say what to change' }])
  }
  return { outcome: outcome('answered', attribution, at, { answers, note }) }
}

/** A text beside a no is its reason; a yes has none, so that nobody takes a condition for a plain yes. */
function decideYesOrNo(request: ApprovalRequest, input: ParsedAnswer, attribution: Attribution, at: number): Decision {
  const { text: own, ...rest } = input
  const text = [own, ...(input.answers ?? []).map(answer => answer.text)].find(one => one?.trim())
  const withoutText = { ...rest, ...(input.answers && { answers: input.answers.map(one => ({ ...one, text: null })) }) }
  const answers = readAnswers(questionsOf(request), request.required, withoutText)
  const chosen = answers[0]?.selected[0]
  const note = input.note ?? answers[0]?.note ?? text
  if (chosen === 'no') {
    return { outcome: outcome('declined', attribution, at, { note, reason: text ?? note ?? unexplained.approval }) }
  }
  if (text)
    throw invalid([{ path: 'text', message: 'goes with no, as its reason; to add something to a yes, use note' }])
  return decideApproval(request, chosen, answers, input, attribution, at)
}

/** A yes: to the proposed command or an edited one, once or always. */
function decideApproval(
  request: ApprovalRequest,
  chosen: string | undefined,
  answers: AnswerGiven[],
  { note, edited }: ParsedAnswer,
  attribution: Attribution,
  at: number,
): Decision {
  if (!mayApprove(request.action.severity, attribution.channel)) throw needsCarefulChannel()
  const always = ruleScopes.find(scope => alwaysLabels[scope] === chosen)
  if (always === undefined) return { outcome: outcome('answered', attribution, at, { answers, note, edited }) }
  if (edited !== undefined) {
    throw invalid([
      { path: 'edited', message: 'cannot be combined with always: the rule would allow the proposed command' },
    ])
  }
  const yes = answers.map(answer => ({ ...answer, selected: ['yes'] }))
  return {
    outcome: outcome('answered', attribution, at, { answers: yes, note, always }),
    rule: ruleOf(request, always, note),
  }
}

/** Only an optional request can be skipped; its value is the default, if there is one. */
export function decideSkip(
  record: RequestRecord,
  note: string | null | undefined,
  attribution: Attribution,
  at: number,
): Decision {
  if (record.required) throw invalid([{ path: '', message: `${record.id} is required and cannot be skipped` }])
  const request = toRequest(record)
  const answers = request.kind === 'question' ? defaultAnswers(request.questions) : []
  return { outcome: outcome('skipped', attribution, at, { answers, note }) }
}

/** Without a required dependency the run fails, and an optional one the agent has to do without: both are told why. */
export function decideDecline(
  { kind }: RequestRecord,
  parts: { reason?: string | null | undefined; note?: string | null | undefined },
  attribution: Attribution,
  at: number,
): Decision {
  if (kind === 'dependency' && !parts.reason?.trim()) throw invalid([{ path: 'reason', message: 'must not be empty' }])
  return { outcome: outcome('declined', attribution, at, parts) }
}

export interface Settled {
  won: boolean
  replay: boolean
  record: RequestRecord
}

type IsSame = (winner: RequestRecord) => boolean | Promise<boolean>

interface SettleOptions {
  isSame?: IsSame
  /** More data for the event. */
  data?: NewEvent['data']
  /** For a deadline: settles only if it has passed and was not moved. */
  onlyIfDue?: boolean
}

/** One compare-and-set: the first decision wins, the same one again is a replay, any other learns who won. */
export async function settle(
  tx: Transaction,
  record: RequestRecord,
  decision: Outcome,
  { isSame = winner => sameAsWinner(winner, decision), data = {}, onlyIfDue = false }: SettleOptions = {},
): Promise<Settled> {
  const isOpen = record.status === 'pending'
  const settled = isOpen ? await tx.settle(record.id, decision, await tx.now(), { onlyIfDue }) : null
  if (!settled) return lost((await tx.request(record.id)) ?? record, isSame)
  const event = eventOf(settled, decision)
  tx.append({ ...event, data: { ...event.data, ...data } })
  return { won: true, replay: false, record: settled }
}

/** The same together with the commit, for a change that has nothing else to do afterwards. */
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
  return { type: settlingEvent(status), request: id, run, data: { by, channel } }
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
  attribution: Attribution,
  at: number,
  files: FileContext,
): Decision {
  if (input.answers?.length || Array.isArray(input.value)) {
    throw invalid([{ path: 'answers', message: 'a dependency takes a single value' }])
  }
  const verdict = validateDependencyValue(request.type, input.value ?? '', files)
  const text = input.text?.trim() ? input.text : null
  const note = input.note ?? (verdict.declines ? text : null)
  if (!verdict.valid) throw invalid([{ path: 'value', message: verdict.error }])
  if (verdict.declines) {
    return { outcome: outcome('declined', attribution, at, { note, reason: text ?? note ?? unexplained.permission }) }
  }
  if (text !== null) throw invalid([{ path: 'text', message: 'a dependency takes a single value' }])
  return {
    outcome: outcome('answered', attribution, at, { note, reference: referenceOf(request.id) }),
    value: verdict.value,
  }
}

function ruleOf({ action }: ApprovalRequest, scope: RuleScope, note: string | null | undefined): ParsedRule {
  const { cwd, digest, reasons, always } = action
  const common = {
    verdict: 'allow' as const,
    note: note ?? null,
    covers: [...new Set(reasons.map(({ rule }) => rule))],
    expires: alwaysLapsesAfter,
  }
  if (scope === 'exact') return { scope, ...common, command: actionText(action), cwd, digest }
  if (!always?.prefix) throw invalid([{ path: 'answer', message: 'this request offers no prefix to allow' }])
  return { scope, ...common, ...always.prefix }
}
