import { type ParsedRule, type Rule, type RuleInput, type RulesApi, ruleSchema } from '../protocol/index.ts'
import { parse } from '../protocol/parse.ts'
import type { Attribution } from '../rules/outcomes.ts'
import { rulesLock } from '../store/locks.ts'
import type { RuleRecord } from '../store/records.ts'
import type { Store, Transaction } from '../store/store.ts'
import type { Caller } from './caller.ts'
import { newId } from './ids.ts'
import { notFound } from './not-found.ts'
import { toRule } from './to-protocol.ts'

/** Adding a rule takes the right to settle and a command that the guard has judged, so it is not offered over HTTP. */
export interface WritableRules extends RulesApi {
  add(input: RuleInput): Promise<Rule>
}

/** What people always allow or forbid. Rows are never deleted: they are their own audit trail. */
export function createRules({ store, caller }: { store: Store; caller: Caller }): WritableRules {
  return {
    async add(input) {
      const rule = parse(ruleSchema, input)
      const attribution = { by: caller.user, channel: caller.channel }
      let added: RuleRecord | null = null
      const record = await store.change(async tx => {
        // The commit's acknowledgement was lost: the rule is stored already.
        const stored = tx.alreadyCommitted && added ? await tx.rule(added.id) : null
        added = stored ?? (await addRule(tx, rule, attribution, null))
        return added
      })
      return toRule(record)
    },

    list: ({ all = false } = {}) =>
      store.read(async view => {
        const now = await view.now()
        const records = [...(await view.rules()), ...(await view.answerRules())].sort(byId)
        return records.filter(record => all || inForce(record, now)).map(toRule)
      }),

    async remove(id) {
      const record = await store.change(async tx => {
        const at = await tx.now()
        const removed = (await tx.removeRule(id, caller.user, at)) ?? (await tx.removeAnswerRule(id, caller.user, at))
        return removed ?? (await tx.rule(id)) ?? tx.answerRule(id)
      }, rulesLock)
      if (!record) throw notFound('rule', id)
      return toRule(record)
    },
  }
}

/** Part of a larger change: a yes for always and its rule are stored together. */
export async function addRule(
  tx: Transaction,
  { expires, ...rule }: ParsedRule,
  { by, channel }: Attribution,
  request: string | null,
): Promise<RuleRecord> {
  const at = await tx.now()
  const expiresAt = expires === null ? null : at + expires
  const record = { id: newId('rul', at), rule, request, by, channel, at, expiresAt, removedAt: null, removedBy: null }
  await tx.insertRule(record)
  return record
}

export function inForce({ removedAt, expiresAt }: RuleRecord, now: number): boolean {
  return removedAt === null && (expiresAt === null || now < expiresAt)
}

/** Ids sort by time. */
function byId(a: RuleRecord, b: RuleRecord): number {
  return a.id < b.id ? -1 : 1
}
