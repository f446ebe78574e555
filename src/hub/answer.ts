import { isDeepStrictEqual } from 'node:util'
import {
  answerSchema,
  BeckonError,
  cancelSchema,
  declineSchema,
  type HubApi,
  type Keep,
  type Outcome,
  type ParsedAnswer,
  type Request,
  type Settlement,
  skipSchema,
} from '../protocol/index.ts'
import { parse } from '../protocol/parse.ts'
import { type Attribution, outcome } from '../rules/outcomes.ts'
import { questionsOf } from '../rules/questions.ts'
import type { Sealer } from '../secrets/seal.ts'
import { keptLock, requestLock, runLock } from '../store/locks.ts'
import type { RequestRecord } from '../store/records.ts'
import type { Store, Transaction } from '../store/store.ts'
import { addAnswerRule, decideAlways } from './answer-rules.ts'
import { addRule, inForce } from './approval-rules.ts'
import type { Caller } from './caller.ts'
import { fileContextOf, type HostFiles } from './file-context.ts'
import { isOverdue, settleByDeadline } from './fire-deadline.ts'
import { type Judging, notCovered } from './judging.ts'
import { chooseName, keepValue } from './kept-values.ts'
import { notFound } from './not-found.ts'
import { type Sealing, sealValue } from './sealing.ts'
import {
  type Decision,
  decideAnswer,
  decideDecline,
  decideSkip,
  type Settled,
  settle,
  settleAtCommit,
} from './settle.ts'
import { toRequest } from './to-protocol.ts'

interface Options {
  store: Store
  sealing: Sealing
  caller: Caller
  files: HostFiles | null
  judging: Judging
  /** Called after the commit, so that waiters in this process need not read the store. */
  onSettled: (request: Request) => void
  afterSettling?: ((request: Request) => Promise<void>) | undefined
  /** Called instead where the deadline had passed, and settled it. */
  onDeadlineSettled: (request: Request) => void
}

type AnswerVerbs = Pick<HubApi, 'answer' | 'skip' | 'decline' | 'cancel' | 'allowByRule'>

/** The verbs that settle: a person's decisions, a rule's yes, and the asker's withdrawal. The first one wins. */
export function createAnswer(options: Options): AnswerVerbs {
  const { store, sealing, caller, files, judging, onSettled, afterSettling, onDeadlineSettled } = options
  return {
    async answer(id, input) {
      const parsed = parse(answerSchema, input)
      if (parsed.edited) await judging.checkEdit(id, parsed.edited, attribution(parsed).channel)
      return change(
        id,
        async (record, now, tx) => {
          const decision = decideAnswer(record, parsed, attribution(parsed), now, fileContextOf(record, files))
          return parsed.always ? decideAlways(tx, record, decision, parsed.always) : decision
        },
        keepOf(parsed),
      )
    },

    async skip(id, input = {}) {
      const parsed = parse(skipSchema, input)
      return change(id, (record, now) => decideSkip(record, parsed.note, attribution(parsed), now))
    },

    async decline(id, input = {}) {
      const parsed = parse(declineSchema, input)
      return change(id, (record, now) => decideDecline(record, parsed, attribution(parsed), now))
    },

    async cancel(id, input = {}) {
      const parsed = parse(cancelSchema, input)
      return change(id, (_, now) => ({ outcome: outcome('cancelled', attribution(parsed), now, parsed) }))
    },

    async allowByRule(id, rule) {
      if (!(await judging.isAllowedBy(id, rule))) throw notCovered(id, rule)
      return change(id, (record, now, tx) => decideByRule(tx, record, rule, now))
    },
  }

  async function change(
    id: string,
    decide: (record: RequestRecord, now: number, tx: Transaction) => Decision | Promise<Decision>,
    keep: Keep | null = null,
  ): Promise<Settlement> {
    const tried: Outcome[] = []
    let kept: string | null = null
    const { won, replay, record, byDeadline } = await store.change<Settled & { byDeadline?: boolean }>(
      async tx => {
        const seen = await tx.request(id)
        if (!seen) throw notFound('request', id)
        // The commit's acknowledgement was lost: this call has won already.
        if (tx.alreadyCommitted && tried.some(mine => isDeepStrictEqual(mine, seen.outcome)))
          return { won: true, replay: false, record: seen }
        const now = await tx.now()
        // Where many deadlines are due, this one may not have fired yet. It came first all the same.
        if (isOverdue(seen, now)) return { won: false, replay: false, ...(await settleByDeadline(tx, seen)) }
        const decision = await decideIfOpen(seen, async () => decide(seen, now, tx))
        if (!decision) return { won: false, replay: false, record: seen }
        kept = keep && (await chooseName(tx, seen, keep))
        if (decision.rule !== undefined) {
          const settled = await settle(tx, seen, decision.outcome)
          if (settled.won) await addRule(tx, decision.rule, attribution(decision.outcome), id)
          if (settled.won) tried.push(decision.outcome)
          return settled
        }
        if (decision.alwaysFor !== undefined) {
          const settled = await settle(tx, seen, decision.outcome)
          const rule = { ...attribution(decision.outcome), expires: decision.alwaysFor }
          if (settled.won) await addAnswerRule(tx, seen, decision.outcome.answers, rule)
          if (settled.won) tried.push(decision.outcome)
          return settled
        }
        if (decision.value === undefined) {
          tried.push(decision.outcome)
          return settleAtCommit(store, tx, seen, decision.outcome)
        }
        // The value is stored only while the run goes on.
        if (seen.run !== null) tx.lock(runLock(seen.run))
        const sealer = await sealing.sealer(tx)
        const settled = await settleSealed(tx, seen, decision, decision.value, sealer)
        if (kept !== null && keep && (settled.won || settled.replay)) {
          await keepValue(tx, sealer, seen, decision.value, { ...keep, name: kept, by: decision.outcome.by })
        }
        if (settled.won) tried.push(decision.outcome)
        return settled
      },
      [requestLock(id), ...(keep ? [keptLock] : [])],
    )
    const request = toRequest(record)
    if (won) onSettled(request)
    if (byDeadline) onDeadlineSettled(request)
    if (won) await afterSettling?.(request)
    return { won, replay, request, ...(kept !== null && (won || replay) ? { kept } : {}) }
  }

  function attribution({ by, channel }: { by?: string | undefined; channel?: string | undefined }): Attribution {
    return { by: by ?? caller.user, channel: channel ?? caller.channel }
  }
}

/** A yes from the person who made the rule, and only to an action that the rule covers. */
async function decideByRule(tx: Transaction, record: RequestRecord, id: string, now: number): Promise<Decision> {
  const rule = await tx.rule(id)
  const request = toRequest(record)
  if (!rule || !inForce(rule, now) || request.kind !== 'approval') throw notCovered(record.id, id)
  const answers = [{ id: questionsOf(request)[0]?.id ?? 'q1', selected: ['yes'], text: null, note: null }]
  const attribution = { by: rule.by, channel: 'rule' }
  return { outcome: outcome('answered', attribution, now, { answers, note: `allowed by ${id}` }) }
}

/** Null where the person does not want to keep the value. */
function keepOf({ keep }: ParsedAnswer): Keep | null {
  if (keep === false) return null
  return keep === true ? { everywhere: false } : keep
}

/** Null for an invalid decision about a settled request: the caller then learns who won, and not what is invalid. */
async function decideIfOpen(seen: RequestRecord, decide: () => Promise<Decision>): Promise<Decision | null> {
  return decide().catch(error => {
    if (seen.status === 'pending' || !(error instanceof BeckonError && error.code === 'invalid')) throw error
    return null
  })
}

/** Seals the value in the transaction that settles. A second value is compared with the first by the MAC of its seal. */
async function settleSealed(tx: Transaction, record: RequestRecord, decision: Decision, value: string, sealer: Sealer) {
  const settled = await settle(tx, record, decision.outcome, { isSame })
  if (settled.won) await sealValue(tx, sealer, record, value)
  return settled

  async function isSame(winner: RequestRecord): Promise<boolean> {
    const sealed = await tx.sealed(record.id)
    const sameNote = winner.outcome?.note === decision.outcome.note
    return winner.status === 'answered' && sameNote && sealed !== null && sealer.matches(record.id, value, sealed.mac)
  }
}
