import { isDeepStrictEqual } from 'node:util'
import {
  type ApprovalRequest,
  approvalLapsesAfter,
  BeckonError,
  type HubApi,
  type Used,
  type UseOptions,
  useSchema,
} from '../protocol/index.ts'
import { parse } from '../protocol/parse.ts'
import { endsInEffect } from '../rules/outcomes.ts'
import type { Sealer } from '../secrets/seal.ts'
import { requestLock } from '../store/locks.ts'
import type { RequestRecord } from '../store/records.ts'
import type { Store, Transaction } from '../store/store.ts'
import type { Caller } from './caller.ts'
import { notFound } from './not-found.ts'
import { openValue, type Sealing } from './sealing.ts'
import { toRequest } from './to-protocol.ts'
import { refuseForeignUse } from './value-owner.ts'

// *Settled* and *delivered* are two facts. An answer that ends in an effect (a command that runs on a yes, or with a secret) is
// delivered by being used: once, by compare-and-set.

export function createDelivery({ store, sealing, caller }: { store: Store; sealing: Sealing; caller: Caller }) {
  const delivery: Pick<HubApi, 'confirmDelivery' | 'use'> = {
    confirmDelivery: async id =>
      toRequest(
        await store.change(async tx => {
          const record = await deliver(tx, id)
          if (record.usedAt !== null && isForOnce(record)) await tx.unseal(id)
          return record
        }, requestLock(id)),
      ),

    async use(id, input = {}) {
      const options = parse(useSchema, input)
      let handedOver: Used | null = null
      return store.change(async (tx): Promise<Used> => {
        const record = await needSettled(tx, id)
        await refuseForeignUse(tx, record, caller)
        // The commit's acknowledgement was lost: this call has used it already.
        if (tx.alreadyCommitted && handedOver && toRequest(record).usedAt === handedOver.request.usedAt)
          return handedOver
        // Loaded before anything is spent: without the key there is nothing to hand over.
        const sealer = record.kind === 'dependency' ? await sealing.sealer(tx) : null
        const used = await spend(tx, record, options)
        const value = sealer && (await takeValue(tx, record, sealer, options))
        handedOver = { request: toRequest(used), value }
        return handedOver
      }, requestLock(id))
    },
  }
  return delivery
}

/** Opens the value, and deletes its seal where nobody could come back for it: neither a run nor a caller with a nonce. */
async function takeValue(
  tx: Transaction,
  record: RequestRecord,
  sealer: Sealer,
  { nonce }: UseOptions,
): Promise<string> {
  const { id } = record
  const sealed = await tx.sealed(id)
  if (!sealed) throw new BeckonError('used', `The value of ${id} is gone: it was used, or its run has ended.`)
  if (isForOnce(record) && nonce === undefined) await tx.unseal(id)
  // A caller that took a value and never confirmed it.
  await tx.unsealUsed((await tx.now()) - approvalLapsesAfter)
  return openValue(sealer, sealed)
}

/** A value outside of a run is handed over once, and a password everywhere. */
function isForOnce({ kind, run, body }: RequestRecord): boolean {
  return kind === 'dependency' && (run === null || body.type === 'password')
}

async function spend(
  tx: Transaction,
  record: RequestRecord,
  { digest, call, executed, again, nonce }: UseOptions,
): Promise<RequestRecord> {
  if (!endsInEffect(record)) {
    throw new BeckonError('not_granted', `${record.id} was ${record.status}: there is nothing to use.`, record.outcome)
  }
  const at = await tx.now()
  // The reply to this very call was lost.
  if (record.usedAt !== null && nonce !== undefined && record.useNonce === nonce) return record
  if (record.kind === 'approval') refuseOtherOrLapsed(record, { digest, call }, at)
  const used = await tx.use(record.id, at, nonce ?? null)
  if (!used) {
    if (again && record.kind === 'dependency' && record.run !== null) return deliver(tx, record.id)
    const hint = record.key === null ? 'Ask again.' : 'Ask again with another key.'
    throw new BeckonError('used', `${record.id} was used already. ${hint}`)
  }
  const data = executed === undefined ? {} : { executed }
  tx.append({ type: 'request.used', request: record.id, run: record.run, data })
  return { ...(await deliver(tx, record.id)), usedAt: at }
}

type BodyOfApproval = Pick<ApprovalRequest, 'action' | 'call'>

/** A yes is for one action and one call, and lapses soon. */
function refuseOtherOrLapsed(record: RequestRecord, { digest, call }: UseOptions, at: number): void {
  const { action, call: approved = null } = record.body as BodyOfApproval
  const isOther = digest !== undefined && digest !== action.digest
  if (isOther || (call !== undefined && !isDeepStrictEqual(call, approved))) {
    throw new BeckonError('not_granted', `${record.id} approves something else. Ask for exactly this.`)
  }
  if (at > (record.settledAt ?? at) + approvalLapsesAfter) {
    throw new BeckonError('lapsed', `The yes to ${record.id} was not used in time. Ask again.`)
  }
}

/** The first delivery counts; a later start of the same run may take the answer again. */
async function deliver(tx: Transaction, id: string): Promise<RequestRecord> {
  const delivered = await tx.deliver(id)
  if (delivered) {
    tx.append({ type: 'request.delivered', request: id, run: delivered.run, data: {} })
    return delivered
  }
  const record = await needSettled(tx, id)
  // It was settled between the update and the read.
  if (record.deliveredAt === null) return deliver(tx, id)
  if (record.run !== null) await tx.redeliver(id)
  return record
}

async function needSettled(tx: Transaction, id: string): Promise<RequestRecord> {
  const record = await tx.request(id)
  if (!record) throw notFound('request', id)
  if (record.status === 'pending') throw new BeckonError('not_settled', `${id} is still waiting for a person.`)
  return record
}
