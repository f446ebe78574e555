import {
  type AnswerGiven,
  alwaysLapsesAfter,
  canonicalJson,
  invalid,
  type Json,
  type ParsedAnswer,
} from '../protocol/index.ts'
import { outcomeValue } from '../rules/outcome-value.ts'
import { type Attribution, outcome } from '../rules/outcomes.ts'
import { rulesLock } from '../store/locks.ts'
import type { AnswerRuleRecord, RequestRecord } from '../store/records.ts'
import type { Transaction, View } from '../store/store.ts'
import { inForce } from './approval-rules.ts'
import { earlierAskings, whyNotAlways } from './earlier.ts'
import { fingerprint } from './fingerprint.ts'
import { newId } from './ids.ts'
import { type Decision, settle } from './settle.ts'
import { toRequest } from './to-protocol.ts'

// "Always answer so" makes a rule of an answer. It is bound to everything that the person saw and to who asked: every text of
// the questions, context, files, the agent's name, its directory and machine, and the token or user behind it. A later ask
// that is the same in all of that is stored like every other and settled in the same transaction, as answered by the person
// who made the rule, on the channel `rule`. These rules have a table of their own: no guard ever reads them.

/** Checks that this answer may become a rule; throws where a person must decide each time. */
export async function decideAlways(
  view: View,
  record: RequestRecord,
  decision: Decision,
  { expires = alwaysLapsesAfter }: NonNullable<ParsedAnswer['always']>,
): Promise<Decision> {
  const refusal = whyNotAlways(record, await earlierAskings(view, record))
  if (refusal !== null) throw invalid([{ path: 'always', message: refusal }])
  return { outcome: { ...decision.outcome, always: 'answer' }, alwaysFor: expires }
}

/** Part of the change that settles the request. It replaces the rules for the same asks. */
export async function addAnswerRule(
  tx: Transaction,
  record: RequestRecord,
  answers: readonly AnswerGiven[],
  { by, channel, expires }: Attribution & { expires: number },
): Promise<void> {
  tx.lock(rulesLock)
  const at = await tx.now()
  const asker = await askerOf(tx, record)
  const binding = bindingOf(record, asker)
  for (const old of await tx.answerRulesFor(binding)) await tx.removeAnswerRule(old.id, by, at)
  const withoutNotes = answers.map(answer => ({ ...answer, note: null }))
  const settled = { ...record, outcome: outcome('answered', { by, channel }, at, { answers: withoutNotes }) }
  await tx.insertAnswerRule({
    id: newId('rul', at),
    binding,
    rule: {
      scope: 'answer',
      question: record.title ?? '',
      answers: withoutNotes,
      value: outcomeValue(toRequest(settled)),
      agent: record.agent.name,
      cwd: record.agent.cwd,
      user: asker.user,
      token: asker.token,
      note: null,
    },
    request: record.id,
    by,
    channel,
    at,
    expiresAt: at + expires,
    removedAt: null,
    removedBy: null,
  })
}

/** The rule that answers this ask; null where a person is asked. Until the commit, nobody removes it. */
export async function answerRuleFor(
  tx: Transaction,
  fresh: RequestRecord,
  attachments: readonly { hash: string }[],
): Promise<AnswerRuleRecord | null> {
  if (fresh.kind !== 'question') return null
  const [rule] = await tx.answerRulesFor(bindingOf({ ...fresh, attachments }, await askerOf(tx, fresh)))
  if (!rule || !inForce(rule, await tx.now())) return null
  tx.lock(rulesLock)
  return rule
}

/** Settles a request that was just stored. */
export async function settleByAnswerRule(
  tx: Transaction,
  request: RequestRecord,
  { id, by, rule }: AnswerRuleRecord,
): Promise<RequestRecord> {
  const answers = rule.answers as AnswerGiven[]
  const decision = outcome('answered', { by, channel: 'rule' }, await tx.now(), { answers, note: `answered by ${id}` })
  return (await settle(tx, request, decision, { data: { rule: id } })).record
}

interface Asker {
  user: string
  token: string | null
  /** The directory that a run was started in: an agent can claim any. */
  directory: string
}

async function askerOf(view: Pick<View, 'run'>, { run: id, scope, user, agent }: RequestRecord): Promise<Asker> {
  const run = id === null ? null : await view.run(id)
  if (run) return { user: run.user, token: run.token, directory: run.cwd }
  const token = scope.startsWith(tokenScope) ? scope.slice(tokenScope.length) : null
  return { user, token, directory: agent.cwd }
}

const tokenScope = 'token:'

type Covered = Pick<RequestRecord, 'body' | 'context' | 'agent' | 'host'> & {
  attachments: readonly { hash: string }[]
}

/** Any difference in what it covers is another ask. The name of a token proves nothing, its id does. */
export function bindingOf({ body, context, attachments, agent, host }: Covered, asker: Asker): string {
  const covered = {
    questions: body.questions as Json,
    context,
    attachments: attachments.map(({ hash }) => hash),
    agent: agent.name,
    cwd: agent.cwd,
    host,
    directory: asker.directory,
    asker: asker.token === null ? { user: asker.user } : { token: asker.token },
  }
  return fingerprint(canonicalJson(covered))
}
