import { isDeepStrictEqual } from 'node:util'
import {
  answerSchema,
  BeckonError,
  cancelSchema,
  declineSchema,
  type HubApi,
  type Request,
  type Settlement,
  skipSchema,
} from '../protocol/index.ts'
import type { Sealer } from '../secrets/seal.ts'
import type { RequestRecord } from '../store/records.ts'
import type { Store, Transaction } from '../store/store.ts'
import type { Caller } from './caller.ts'
import type { Place } from './dependency-value.ts'
import { type Actor, outcome } from './outcomes.ts'
import { parse } from './parse.ts'
import { type Sealing, sealValue } from './sealing.ts'
import { type Decision, decideAnswer, decideSkip, settle } from './settle.ts'
import { showRequest } from './show.ts'

interface Options {
  store: Store
  sealing: Sealing
  caller: Caller
  realpath: ((path: string) => string | null) | undefined
  /** After the commit: those in this process who wait need not ask the store. */
  onSettled: (request: Request) => void
}

type Answering = Pick<HubApi, 'answer' | 'skip' | 'decline' | 'cancel'>

/** The verbs of people, and the asker's own withdrawal. Each is one guarded change; nobody can be second and win. */
export function createAnswering({ store, sealing, caller, realpath, onSettled }: Options): Answering {
  return {
    async answer(id, input) {
      const parsed = parse(answerSchema, input)
      const actor = actorOf(parsed)
      return change(id, async (tx, record) => {
        const decision = decideAnswer(record, parsed, actor, await tx.now(), placeOf(record))
        if (decision.value === undefined) return settle(tx, record, decision.outcome)
        return settleSealed(tx, record, decision, decision.value, await sealing.sealer(tx), parsed.keep)
      })
    },

    async skip(id, input = {}) {
      const parsed = parse(skipSchema, input)
      return change(id, async (tx, record) =>
        settle(tx, record, decideSkip(record, parsed.note, actorOf(parsed), await tx.now()).outcome),
      )
    },

    async decline(id, input = {}) {
      const parsed = parse(declineSchema, input)
      return change(id, async (tx, record) =>
        settle(tx, record, outcome('declined', actorOf(parsed), await tx.now(), parsed)),
      )
    },

    async cancel(id, input = {}) {
      const parsed = parse(cancelSchema, input)
      return change(id, async (tx, record) =>
        settle(tx, record, outcome('cancelled', actorOf(parsed), await tx.now(), parsed)),
      )
    },
  }

  async function change(
    id: string,
    work: (tx: Transaction, record: RequestRecord) => ReturnType<typeof settle>,
  ): Promise<Settlement> {
    let mine: Awaited<ReturnType<typeof settle>> | null = null
    const { won, replay, record } = await store.change(async tx => {
      const seen = await tx.request(id)
      if (!seen) throw new BeckonError('not_found', `There is no request ${id}.`)
      // Tried again after a broken connection: it was we who won.
      if (mine?.won && isDeepStrictEqual(seen.outcome, mine.record.outcome)) return mine
      mine = await work(tx, seen).catch(error => {
        // Whatever is wrong with it, it comes too late: what counts is who won.
        if (seen.status === 'pending' || !(error instanceof BeckonError && error.code === 'invalid')) throw error
        return { won: false, replay: false, record: seen }
      })
      return mine
    })
    const request = showRequest(record)
    if (won) onSettled(request)
    return { won, replay, request }
  }

  function actorOf({ by, channel }: { by?: string | undefined; channel?: string | undefined }): Actor {
    return { by: by ?? caller.user, channel: channel ?? caller.channel }
  }

  /** Links can only be followed on the host where the agent works; elsewhere the path is judged by its letters. */
  function placeOf(record: RequestRecord): Place {
    const place = { directory: record.agent.cwd, outside: record.body.outside === true }
    return realpath && record.host === caller.host ? { ...place, realpath } : place
  }
}

/** The value goes in with the decision, or not at all. Whether a second one is the same is told by its seal's mark. */
async function settleSealed(
  tx: Transaction,
  record: RequestRecord,
  decision: Decision,
  value: string,
  sealer: Sealer,
  keep: boolean,
) {
  const settled = await settle(tx, record, decision.outcome, async winner => {
    const sealed = await tx.sealed(record.id)
    const sameNote = winner.outcome?.note === decision.outcome.note
    return winner.status === 'answered' && sameNote && sealed !== null && sealer.matches(record.id, value, sealed.mac)
  })
  if (settled.won) await sealValue(tx, sealer, record, value, keep)
  return settled
}
