import type { AnswerGiven, Earlier, EarlierAnswer, HubApi, Question } from '../protocol/index.ts'
import { outcomeValue } from '../rules/outcome-value.ts'
import type { RequestRecord } from '../store/records.ts'
import type { Store, View } from '../store/store.ts'
import { notFound } from './not-found.ts'
import { normal } from './summary.ts'
import { toRequest } from './to-protocol.ts'

const mostShown = 3
// As many as it takes to see whether a question comes with the same context each time.
const mostCompared = 20

/** What people answered when the same question was asked in the same project before. */
export function createEarlier(store: Store): Pick<HubApi, 'earlier'> {
  return {
    earlier: id =>
      store.read(async view => {
        const record = await view.request(id)
        if (!record) throw notFound('request', id)
        const askings = await earlierAskings(view, record)
        return {
          earlier: askings.flatMap(asking => answerOf(asking, record)).slice(0, mostShown),
          always: record.status === 'pending' && whyNotAlways(record, askings) === null,
        } satisfies Earlier
      }),
  }
}

/** Requests with the same question that people have answered, newest first. */
export async function earlierAskings(view: View, { id, sameQuestion }: RequestRecord): Promise<RequestRecord[]> {
  return sameQuestion === null ? [] : view.answeredBefore(sameQuestion, id, mostCompared)
}

/** Why no rule may answer this from now on; null where one may. */
export function whyNotAlways(request: RequestRecord, askings: readonly RequestRecord[]): string | null {
  if (request.kind !== 'question') return `is for questions; ${request.id} is not one`
  if (request.messages.length > 0) return 'is not possible: the answer rests on the messages of this request'
  const looks = bound(request)
  if (askings.some(asking => bound(asking) !== looks)) {
    return 'is not possible: the same question came with another context before. Answer it each time'
  }
  return null
}

function bound({ context, attachments }: RequestRecord): string {
  return JSON.stringify([context, attachments.map(({ hash }) => hash)])
}

/** None where the answer does not fit the question as it is asked now. */
function answerOf(asking: RequestRecord, present: RequestRecord): EarlierAnswer[] {
  const { outcome, id } = asking
  if (!outcome || outcome.channel === 'rule') return []
  const before = asking.body.questions as Question[]
  const now = present.body.questions as Question[]
  const answers = now.map((question, i) => inWordsOf(question, before[i], outcome.answers))
  if (!answers.every(answer => answer !== null)) return []
  const value = outcomeValue(toRequest({ ...present, outcome: { ...outcome, answers } }))
  return [{ id, answers, value, by: outcome.by, channel: outcome.channel, at: outcome.at }]
}

/** The same question may have another id by now, and its options another spelling. */
function inWordsOf(
  question: Question,
  before: Question | undefined,
  answers: readonly AnswerGiven[],
): AnswerGiven | null {
  const given = answers.find(({ id }) => id === before?.id)
  if (!given) return null
  const labels = question.options.map(({ label }) => label)
  const selected = given.selected.map(label => labels.find(one => normal(one) === normal(label)))
  if (!selected.every(label => label !== undefined)) return null
  return { id: question.id, selected, text: given.text, note: given.note }
}
