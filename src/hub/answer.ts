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
import { type Actor, outcome } from '../rules/outcomes.ts'
import { questionsOf } from '../rules/questions.ts'
import { ruleCovers } from '../rules/rule-covers.ts'
import type { Sealer } from '../secrets/seal.ts'
import type { RequestRecord } from '../store/records.ts'
import type { Store, Transaction } from '../store/store.ts'
import { inForce, keepRule } from './approval-rules.ts'
import type { Caller } from './caller.ts'
import { type Files, placeOf } from './file-context.ts'
import { chooseName, keepValue } from './kept-values.ts'
import { type Sealing, sealValue } from './sealing.ts'
import { type Decision, decideAnswer, decideSkip, type Settled, settle, settleAtCommit } from './settle.ts'
import { showRequest } from './to-protocol.ts'

interface Options {
  store: Store
  sealing: Sealing
  caller: Caller
  files: Files
  /** After the commit: those in this process who wait need not ask the store. */
  onSettled: (request: Request) => void
  afterSettling?: ((request: Request) => Promise<void>) | undefined
}

type Answering = Pick<HubApi, 'answer' | 'skip' | 'decline' | 'cancel' | 'allowByRule'>

/** The verbs of people, and the asker's own withdrawal. Each is one guarded change; nobody can be second and win. */
export function createAnswering({ store, sealing, caller, files, onSettled, afterSettling }: Options): Answering {
  return {
    async answer(id, input) {
      const parsed = parse(answerSchema, input)
      return change(
        id,
        (record, now) => decideAnswer(record, parsed, actorOf(parsed), now, placeOf(record, caller, files)),
        keepOf(parsed),
      )
    },

    async skip(id, input = {}) {
      const parsed = parse(skipSchema, input)
      return change(id, (record, now) => decideSkip(record, parsed.note, actorOf(parsed), now))
    },

    async decline(id, input = {}) {
      const parsed = parse(declineSchema, input)
      return change(id, (_, now) => ({ outcome: outcome('declined', actorOf(parsed), now, parsed) }))
    },

    async cancel(id, input = {}) {
      const parsed = parse(cancelSchema, input)
      return change(id, (_, now) => ({ outcome: outcome('cancelled', actorOf(parsed), now, parsed) }))
    },

    allowByRule: (id, rule) => change(id, (record, now, tx) => decideByRule(tx, record, rule, now)),
  }

  async function change(
    id: string,
    decide: (record: RequestRecord, now: number, tx: Transaction) => Decision | Promise<Decision>,
    keep: Keep | null = null,
  ): Promise<Settlement> {
    const tried: Outcome[] = []
    let kept: string | null = null
    const { won, replay, record } = await store.change<Settled>(async tx => {
      const seen = await tx.request(id)
      if (!seen) throw new BeckonError('not_found', `There is no request ${id}.`)
      // The word of our commit was lost: it was we who won.
      if (tx.happened && tried.some(mine => isDeepStrictEqual(mine, seen.outcome)))
        return { won: true, replay: false, record: seen }
      const decision = await decideInTime(seen, () => tx.now().then(now => decide(seen, now, tx)))
      if (!decision) return { won: false, replay: false, record: seen }
      kept = keep && (await chooseName(tx, seen, keep))
      if (decision.rule !== undefined) {
        const settled = await settle(tx, seen, decision.outcome)
        if (settled.won) await keepRule(tx, decision.rule, actorOf(decision.outcome), id)
        if (settled.won) tried.push(decision.outcome)
        return settled
      }
      if (decision.value === undefined) {
        tried.push(decision.outcome)
        return settleAtCommit(store, tx, seen, decision.outcome)
      }
      const sealer = await sealing.sealer(tx)
      const settled = await settleSealed(tx, seen, decision, decision.value, sealer)
      if (kept !== null && keep && (settled.won || settled.replay)) {
        await keepValue(tx, sealer, seen, decision.value, { ...keep, name: kept, by: decision.outcome.by })
      }
      if (settled.won) tried.push(decision.outcome)
      return settled
    })
    const request = showRequest(record)
    if (won) onSettled(request)
    if (won) await afterSettling?.(request)
    return { won, replay, request, ...(kept !== null && (won || replay) ? { kept } : {}) }
  }

  function actorOf({ by, channel }: { by?: string | undefined; channel?: string | undefined }): Actor {
    return { by: by ?? caller.user, channel: channel ?? caller.channel }
  }
}

/** The person who made it says yes; only to what it covers. */
async function decideByRule(tx: Transaction, record: RequestRecord, id: string, now: number): Promise<Decision> {
  const rule = await tx.rule(id)
  const request = showRequest(record)
  if (!rule || !inForce(rule, now) || request.kind !== 'approval' || !ruleCovers(rule, request.action)) {
    throw new BeckonError('not_granted', `${record.id} is not covered by ${id}. A person decides.`)
  }
  const answers = [{ id: questionsOf(request)[0]?.id ?? 'q1', selected: ['yes'], text: null, note: null }]
  const actor = { by: rule.by, channel: 'rule' }
  return { outcome: outcome('answered', actor, now, { answers, note: `allowed by ${id}` }) }
}

/** Null for no. */
function keepOf({ keep }: ParsedAnswer): Keep | null {
  if (keep === false) return null
  return keep === true ? { everywhere: false } : keep
}

/** Whatever is wrong with a decision that comes too late: what counts is who won. Null for such a one. */
async function decideInTime(seen: RequestRecord, decide: () => Promise<Decision>): Promise<Decision | null> {
  return decide().catch(error => {
    if (seen.status === 'pending' || !(error instanceof BeckonError && error.code === 'invalid')) throw error
    return null
  })
}

/** The value goes in with the decision, or not at all. Whether a second one is the same is told by its seal's mark. */
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
