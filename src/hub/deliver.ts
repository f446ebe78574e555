import {
  approvalLapsesAfter,
  BeckonError,
  type HubApi,
  type Request,
  type Used,
  type UseOptions,
  useSchema,
} from '../protocol/index.ts'
import { parse } from '../protocol/parse.ts'
import type { Sealer } from '../secrets/seal.ts'
import type { RequestRecord } from '../store/records.ts'
import type { Store, Transaction } from '../store/store.ts'
import { openValue, type Sealing } from './sealing.ts'
import { showRequest } from './to-protocol.ts'

// *Settled* and *delivered* are two facts. What ends in an effect (a command that runs on a yes, or with a secret) is
// delivered by being used: once, by compare-and-set.

export function createTaking({ store, sealing }: { store: Store; sealing: Sealing }) {
  const taking: Pick<HubApi, 'confirmDelivery' | 'use'> = {
    confirmDelivery: async id => showRequest(await store.change(tx => deliver(tx, id))),

    async use(id, input = {}) {
      const options = parse(useSchema, input)
      let handedOver: Used | null = null
      return store.change(async (tx): Promise<Used> => {
        const record = await needSettled(tx, id)
        // The word of our commit was lost: it was we who used it.
        if (tx.happened && handedOver && showRequest(record).usedAt === handedOver.request.usedAt) return handedOver
        // Before anything is spent: without the key there is nothing to hand over.
        const sealer = record.kind === 'dependency' ? await sealing.sealer(tx) : null
        const used = await spend(tx, record, options)
        const value = sealer && (await takeOut(tx, record, sealer))
        handedOver = { request: showRequest(used), value }
        return handedOver
      })
    },
  }
  return taking
}

/** The answer is a yes or a value that something still has to be done with. */
export function endsInEffect({ kind, status }: Pick<Request, 'kind' | 'status'>): boolean {
  return (kind === 'dependency' || kind === 'approval') && status === 'answered'
}

/** Without a run there is nobody to come back for it. */
async function takeOut(tx: Transaction, { id, run }: RequestRecord, sealer: Sealer): Promise<string> {
  const sealed = await tx.sealed(id)
  if (!sealed) throw new BeckonError('used', `The value of ${id} is gone: it was used, or its run has ended.`)
  if (run === null) await tx.unseal(id)
  return openValue(sealer, sealed)
}

async function spend(
  tx: Transaction,
  record: RequestRecord,
  { digest, executed, again }: UseOptions,
): Promise<RequestRecord> {
  if (!endsInEffect(record)) {
    throw new BeckonError('not_granted', `${record.id} was ${record.status}: there is nothing to use.`, record.outcome)
  }
  const at = await tx.now()
  if (record.kind === 'approval') refuseOtherOrLate(record, digest, at)
  const used = await tx.use(record.id, at)
  if (!used) {
    if (again && record.kind === 'dependency' && record.run !== null) return deliver(tx, record.id)
    const hint = record.key === null ? 'Ask again.' : 'Ask again with another key.'
    throw new BeckonError('used', `${record.id} was used already. ${hint}`)
  }
  const data = executed === undefined ? {} : { executed }
  tx.append({ type: 'request.used', request: record.id, run: record.run, data })
  return { ...(await deliver(tx, record.id)), usedAt: at }
}

/** A yes is for one thing, and not for long. */
function refuseOtherOrLate(record: RequestRecord, digest: string | undefined, at: number): void {
  const action = record.body.action as { digest: string }
  if (digest !== action.digest) {
    throw new BeckonError('not_granted', `${record.id} approves something else. Ask for exactly this.`)
  }
  if (at > (record.settledAt ?? at) + approvalLapsesAfter) {
    throw new BeckonError('lapsed', `The yes to ${record.id} was not used in time. Ask again.`)
  }
}

/** The first delivery counts; a later start of the same run may take it again. */
async function deliver(tx: Transaction, id: string): Promise<RequestRecord> {
  const delivered = await tx.deliver(id, await tx.now())
  if (delivered) {
    tx.append({ type: 'request.delivered', request: id, run: delivered.run, data: {} })
    return delivered
  }
  const record = await needSettled(tx, id)
  // Settled between the two looks.
  if (record.deliveredAt === null) return deliver(tx, id)
  if (record.run !== null) await tx.redeliver(id)
  return record
}

async function needSettled(tx: Transaction, id: string): Promise<RequestRecord> {
  const record = await tx.request(id)
  if (!record) throw new BeckonError('not_found', `There is no request ${id}.`)
  if (record.status === 'pending') throw new BeckonError('not_settled', `${id} is still waiting for a person.`)
  return record
}
