import { type Kysely, sql } from 'kysely'
import { prepare } from '../prepare.ts'
import type { ListenerRow, PairingCodeRow, PairingRow, PressRow, Tables } from '../schema.ts'
import { one, upTo } from './shared.ts'

export function chatStatements(db: Kysely<Tables>) {
  return {
    pairings: prepare<object, PairingRow>(() => db.selectFrom('pairings').selectAll().orderBy('id')),

    pairing: prepare<{ id: string }, PairingRow>(value =>
      db.selectFrom('pairings').selectAll().where('id', '=', value('id')),
    ),

    // The latest, where an account is paired with two targets of one bot.
    pairingFor: prepare<{ bot: string; account: string }, PairingRow>(value =>
      db
        .selectFrom('pairings')
        .selectAll()
        .where('bot', '=', value('bot'))
        .where('account', '=', value('account'))
        .orderBy('id', 'desc')
        .limit(one),
    ),

    insertPairing: prepare<PairingRow>(value =>
      db.insertInto('pairings').values({
        id: value('id'),
        target: value('target'),
        bot: value('bot'),
        account: value('account'),
        label: value('label'),
        chat: value('chat'),
        person: value('person'),
        token: value('token'),
        created_at: value('created_at'),
      }),
    ),

    deletePairing: prepare<{ id: string }, { id: string }>(value =>
      db.deleteFrom('pairings').where('id', '=', value('id')).returning('id'),
    ),

    deleteAccount: prepare<{ target: string; account: string }>(value =>
      db.deleteFrom('pairings').where('target', '=', value('target')).where('account', '=', value('account')),
    ),

    deletePairings: prepare<{ target: string }>(value =>
      db.deleteFrom('pairings').where('target', '=', value('target')),
    ),

    pairingCode: prepare<{ hash: string }, PairingCodeRow>(value =>
      db.selectFrom('pairing_codes').selectAll().where('hash', '=', value('hash')),
    ),

    insertPairingCode: prepare<PairingCodeRow>(value =>
      db.insertInto('pairing_codes').values({
        hash: value('hash'),
        target: value('target'),
        person: value('person'),
        token: value('token'),
        expires_at: value('expires_at'),
        pairing: value('pairing'),
      }),
    ),

    // No row back: it was used before, or has expired.
    usePairingCode: prepare<{ hash: string; pairing: string; now: number }, PairingCodeRow>(value =>
      db
        .updateTable('pairing_codes')
        .set({ pairing: value('pairing') })
        .where('hash', '=', value('hash'))
        .where('pairing', 'is', null)
        .where('expires_at', '>', value('now'))
        .returningAll(),
    ),

    deletePairingCodes: prepare<{ target: string }>(value =>
      db.deleteFrom('pairing_codes').where('target', '=', value('target')),
    ),

    press: prepare<{ id: string }, PressRow>(value =>
      db.selectFrom('presses').selectAll().where('id', '=', value('id')),
    ),

    // No row back: the chat has sent this press before.
    insertPress: prepare<PressRow, { id: string }>(value =>
      db
        .insertInto('presses')
        .values({
          id: value('id'),
          target: value('target'),
          account: value('account'),
          button: value('button'),
          place: value('place'),
          due: value('due'),
          created_at: value('created_at'),
          done_at: value('done_at'),
          result: value('result'),
        })
        .onConflict(conflict => conflict.column('id').doNothing())
        .returning('id'),
    ),

    duePresses: prepare<{ now: number; limit: number }, PressRow>(value =>
      db
        .selectFrom('presses')
        .selectAll()
        .where('done_at', 'is', sql.lit(null))
        .where('due', '<=', value('now'))
        .orderBy('due')
        .limit(upTo(value('limit'))),
    ),

    // The process that moves `due` from the value that it saw deals with the press until then.
    leasePress: prepare<{ id: string; seen: number; until: number }, PressRow>(value =>
      db
        .updateTable('presses')
        .set({ due: value('until') })
        .where('id', '=', value('id'))
        .where('done_at', 'is', null)
        .where('due', '=', value('seen'))
        .returningAll(),
    ),

    finishPress: prepare<{ id: string; lease: number; at: number; result: string }, { id: string }>(value =>
      db
        .updateTable('presses')
        .set({ done_at: value('at'), result: value('result') })
        .where('id', '=', value('id'))
        .where('done_at', 'is', null)
        .where('due', '=', value('lease'))
        .returning('id'),
    ),

    deleteOldPresses: prepare<{ before: number; limit: number }, { id: string }>(value =>
      db
        .deleteFrom('presses')
        .where('id', 'in', eb =>
          eb
            .selectFrom('presses as old')
            .select('old.id')
            .where('old.done_at', '<', value('before'))
            .limit(upTo(value('limit'))),
        )
        .returning('id'),
    ),

    deleteOldPairingCodes: prepare<{ before: number; limit: number }, { hash: string }>(value =>
      db
        .deleteFrom('pairing_codes')
        .where('hash', 'in', eb =>
          eb
            .selectFrom('pairing_codes as old')
            .select('old.hash')
            .where('old.expires_at', '<', value('before'))
            .limit(upTo(value('limit'))),
        )
        .returning('hash'),
    ),

    listener: prepare<{ bot: string }, ListenerRow>(value =>
      db.selectFrom('listeners').selectAll().where('bot', '=', value('bot')),
    ),

    saveListener: prepare<ListenerRow>(value =>
      db
        .insertInto('listeners')
        .values({ bot: value('bot'), holder: value('holder'), until: value('until') })
        .onConflict(conflict =>
          conflict.column('bot').doUpdateSet(eb => ({
            holder: eb.ref('excluded.holder'),
            until: eb.ref('excluded.until'),
          })),
        ),
    ),

    deleteListener: prepare<{ bot: string; holder: string }>(value =>
      db.deleteFrom('listeners').where('bot', '=', value('bot')).where('holder', '=', value('holder')),
    ),
  }
}
