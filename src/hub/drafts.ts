import {
  type AnswerGiven,
  BeckonError,
  type Draft,
  type DraftInput,
  type DraftReader,
  type Drafts,
  type DraftsApi,
  discardDraftSchema,
  draftReaderSchema,
  draftSchema,
  invalid,
  type ParsedDraft,
  type Problem,
  type Question,
} from '../protocol/index.ts'
import { parse } from '../protocol/parse.ts'
import { questionsOf } from '../rules/questions.ts'
import type { RequestRecord } from '../store/records.ts'
import type { Store, Transaction } from '../store/store.ts'
import type { Caller } from './caller.ts'
import { notFound } from './not-found.ts'
import { toDraft, toRequest } from './to-protocol.ts'

/**
 * What people have entered and not sent, so that they can continue it in another terminal or the browser. Everybody has a
 * draft of their own; those of others are for reading. A draft appends no event and decides nothing; once its request is
 * settled it is not shown any more.
 */
export function createDrafts({ store, caller }: { store: Store; caller: Caller }): DraftsApi {
  return { save, get, all, discard }

  async function save(id: string, input: DraftInput): Promise<void> {
    const parsed = parse(draftSchema, input)
    await store.change(tx => saveOwn(tx, id, parsed, parsed.by ?? caller.user), lockOf(id))
  }

  async function get(id: string, options?: DraftReader): Promise<Draft | null> {
    const { own, others } = await all(id, options)
    return own ?? others[0] ?? null
  }

  async function all(id: string, options: DraftReader = {}): Promise<Drafts> {
    const { by = caller.user } = parse(draftReaderSchema, options)
    const drafts = await store.read(async view => {
      const found = await view.drafts(id, by)
      if (found.length === 0 && (await view.isOpen(id)) === null) throw notFound('request', id)
      return found.map(toDraft)
    })
    return { own: drafts.find(draft => draft.by === by) ?? null, others: drafts.filter(draft => draft.by !== by) }
  }

  async function discard(id: string, author: string): Promise<boolean> {
    const { by } = parse(discardDraftSchema, { by: author })
    let discarded = false
    return store.change(async tx => {
      if ((await tx.isOpen(id)) === null) throw notFound('request', id)
      // The commit's acknowledgement was lost: this call has discarded it already.
      discarded = (await tx.discardDraft(id, by)) || (tx.alreadyCommitted && discarded)
      return discarded
    }, lockOf(id))
  }
}

/** Changes of a request's drafts run in order, so that the last one stands. JSON makes any id a text for PostgreSQL. */
function lockOf(id: string): string {
  return `draft|${JSON.stringify(id)}`
}

async function saveOwn(tx: Transaction, id: string, draft: ParsedDraft, by: string): Promise<void> {
  const record = await tx.request(id)
  if (!record) throw notFound('request', id)
  const { answers, note } = fitTo(draftableQuestions(record), draft)
  if (answers.length === 0 && note === null) return tx.deleteDraft(id, by)
  const saved = await tx.saveDraft({ request: id, answers, note, by, at: await tx.now() })
  // It was settled between the read and the write: the next read says so.
  if (!saved) await saveOwn(tx, id, draft, by)
}

function draftableQuestions(record: RequestRecord): Question[] {
  const request = toRequest(record)
  if (request.kind === 'dependency') {
    throw new BeckonError('not_allowed', `The value for ${request.id} may be a secret, so no draft of it is saved.`)
  }
  if (request.status !== 'pending') {
    const message = `${request.id} is settled (${request.status}); drafts are for open requests.`
    throw new BeckonError('not_allowed', message, request.outcome)
  }
  return questionsOf(request)
}

/** The entries in the order of the questions. Entries for unknown questions or options are refused. */
function fitTo(questions: Question[], { answers, note }: ParsedDraft): Pick<ParsedDraft, 'answers' | 'note'> {
  const problems = answers.flatMap((answer, i) => misfits(questions, answer, `answers[${i}]`))
  if (problems.length > 0) throw invalid(problems)
  return { answers: questions.flatMap(question => enteredFor(question, answers)), note: filledOrNull(note) }
}

function misfits(questions: Question[], { id, selected }: AnswerGiven, path: string): Problem[] {
  const question = questions.find(question => question.id === id)
  if (!question) return [{ path: `${path}.id`, message: `there is no question ${id}` }]
  const labels = labelsOf(question)
  return selected.flatMap((label, i) =>
    labels.includes(label) ? [] : [{ path: `${path}.selected[${i}]`, message: `is not an option of question ${id}` }],
  )
}

/** Options in their order, each once; nothing for a question without an entry. */
function enteredFor(question: Question, answers: ParsedDraft['answers']): ParsedDraft['answers'] {
  const answer = answers.find(({ id }) => id === question.id)
  if (!answer) return []
  const selected = labelsOf(question).filter(label => answer.selected.includes(label))
  const { id, text, own } = answer
  const unused = own === false && text !== null ? { own } : {}
  const note = filledOrNull(answer.note)
  return selected.length === 0 && text === null && note === null ? [] : [{ id, selected, text, note, ...unused }]
}

function labelsOf({ options }: Question): string[] {
  return options.map(option => option.label)
}

function filledOrNull(note: string | null): string | null {
  return note?.trim() ? note : null
}
