import { type Kysely, sql } from 'kysely'
import { type Batch, type Columns, prepare } from '../prepare.ts'
import type { AnswerRuleRow, RuleRow, Tables } from '../schema.ts'
import { compilable } from './settle.ts'

export function ruleStatements(db: Kysely<Tables>) {
  return {
    rule: prepare<{ id: string }, RuleRow>(value => db.selectFrom('rules').selectAll().where('id', '=', value('id'))),

    rules: prepare<object, RuleRow>(() => db.selectFrom('rules').selectAll().orderBy('id')),

    insertRule: prepare<RuleRow>(value =>
      db.insertInto('rules').values({
        id: value('id'),
        rule: value('rule'),
        request: value('request'),
        made_by: value('made_by'),
        channel: value('channel'),
        made_at: value('made_at'),
        expires_at: value('expires_at'),
        removed_at: value('removed_at'),
        removed_by: value('removed_by'),
      }),
    ),

    removeRule: prepare<{ id: string; by: string; at: number }, RuleRow>(value =>
      db
        .updateTable('rules')
        .set({ removed_at: value('at'), removed_by: value('by') })
        .where('id', '=', value('id'))
        .where('removed_at', 'is', null)
        .returningAll(),
    ),

    answerRule: prepare<{ id: string }, AnswerRuleRow>(value =>
      db.selectFrom('answer_rules').selectAll().where('id', '=', value('id')),
    ),

    answerRules: prepare<object, AnswerRuleRow>(() => db.selectFrom('answer_rules').selectAll().orderBy('id')),

    answerRulesFor: {
      one: prepare<{ binding: string }, AnswerRuleRow>(value =>
        db
          .selectFrom('answer_rules')
          .selectAll()
          .where('binding', '=', value('binding'))
          .where('removed_at', 'is', null)
          .orderBy('id', 'desc'),
      ),
      many: prepare<Columns<{ binding: string }>, AnswerRuleRow & { asked: number }>(value =>
        compilable(
          db,
          sql`select asked.n::integer as asked, answer_rules.*
            from unnest(${value('binding')}::text[]) with ordinality as asked (binding, n)
            join answer_rules on answer_rules.binding = asked.binding and answer_rules.removed_at is null
            order by answer_rules.id desc`,
        ),
      ),
    } satisfies Batch<{ binding: string }, AnswerRuleRow>,

    insertAnswerRule: prepare<AnswerRuleRow>(value =>
      db.insertInto('answer_rules').values({
        id: value('id'),
        binding: value('binding'),
        rule: value('rule'),
        request: value('request'),
        made_by: value('made_by'),
        channel: value('channel'),
        made_at: value('made_at'),
        expires_at: value('expires_at'),
        removed_at: value('removed_at'),
        removed_by: value('removed_by'),
      }),
    ),

    removeAnswerRule: prepare<{ id: string; by: string; at: number }, AnswerRuleRow>(value =>
      db
        .updateTable('answer_rules')
        .set({ removed_at: value('at'), removed_by: value('by') })
        .where('id', '=', value('id'))
        .where('removed_at', 'is', null)
        .returningAll(),
    ),
  }
}
