import {
  BeckonError,
  type ParsedRule,
  type Rule,
  type RuleInput,
  type RulesApi,
  ruleSchema,
} from '../protocol/index.ts'
import { parse } from '../protocol/parse.ts'
import type { Actor } from '../rules/outcomes.ts'
import type { RuleRecord } from '../store/records.ts'
import type { Store, Transaction } from '../store/store.ts'
import type { Caller } from './caller.ts'
import { newId } from './ids.ts'

/** The verbs for rules. To add one takes settling rights, and a command that was judged: nobody does it over HTTP. */
export interface WritableRules extends RulesApi {
  add(input: RuleInput): Promise<Rule>
}

/** What a person allowed or forbade beyond the one time. Rows are never deleted: they are their own audit trail. */
export function createRules({ store, caller }: { store: Store; caller: Caller }): WritableRules {
  return {
    async add(input) {
      const rule = parse(ruleSchema, input)
      const actor = { by: caller.user, channel: caller.channel }
      let kept: RuleRecord | null = null
      const record = await store.change(async tx => {
        // The word of our commit was lost: it is kept already.
        const stored = tx.happened && kept ? await tx.rule(kept.id) : null
        kept = stored ?? (await keepRule(tx, rule, actor, null))
        return kept
      })
      return showRule(record)
    },

    list: ({ all = false } = {}) =>
      store.read(async view => {
        const now = await view.now()
        const records = await view.rules()
        return records.filter(record => all || inForce(record, now)).map(showRule)
      }),

    async remove(id) {
      const record = await store.change(async tx => {
        return (await tx.removeRule(id, caller.user, await tx.now())) ?? tx.rule(id)
      })
      if (!record) throw new BeckonError('not_found', `There is no rule ${id}.`)
      return showRule(record)
    },
  }
}

/** Inside the change that it belongs to: a yes for always and its rule are kept together. */
export async function keepRule(
  tx: Transaction,
  { expires, ...rule }: ParsedRule,
  { by, channel }: Actor,
  request: string | null,
): Promise<RuleRecord> {
  const at = await tx.now()
  const expiresAt = expires === null ? null : at + expires
  const kept = { id: newId('rul', at), rule, request, by, channel, at, expiresAt, removedAt: null, removedBy: null }
  await tx.insertRule(kept)
  return kept
}

export function inForce({ removedAt, expiresAt }: RuleRecord, now: number): boolean {
  return removedAt === null && (expiresAt === null || now < expiresAt)
}

function showRule({ rule, at, expiresAt, removedAt, ...rest }: RuleRecord): Rule {
  return {
    ...rule,
    ...rest,
    at: new Date(at).toISOString(),
    expiresAt: isoOrNull(expiresAt),
    removedAt: isoOrNull(removedAt),
  } as Rule
}

function isoOrNull(time: number | null): string | null {
  return time === null ? null : new Date(time).toISOString()
}
