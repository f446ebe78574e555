import { sql } from 'kysely'
import type { Migration } from './migration.ts'

/** Accounts of chats that answer as a person, presses of buttons until they are dealt with, and who listens to a bot. */
export const addChat: Migration = db => [
  db.schema
    .createTable('pairings')
    .addColumn('id', 'text', column => column.primaryKey())
    .addColumn('target', 'text', column => column.notNull())
    .addColumn('bot', 'text', column => column.notNull())
    .addColumn('account', 'text', column => column.notNull())
    .addColumn('label', 'text', column => column.notNull())
    .addColumn('chat', 'text', column => column.notNull())
    .addColumn('person', 'text', column => column.notNull())
    .addColumn('token', 'text')
    .addColumn('created_at', 'bigint', column => column.notNull()),
  // An account answers as one person.
  db.schema.createIndex('pairings_account').unique().on('pairings').columns(['target', 'account']),
  db.schema
    .createTable('pairing_codes')
    .addColumn('hash', 'text', column => column.primaryKey())
    .addColumn('target', 'text', column => column.notNull())
    .addColumn('person', 'text', column => column.notNull())
    .addColumn('token', 'text')
    .addColumn('expires_at', 'bigint', column => column.notNull())
    .addColumn('pairing', 'text'),
  db.schema
    .createTable('presses')
    .addColumn('id', 'text', column => column.primaryKey())
    .addColumn('target', 'text', column => column.notNull())
    .addColumn('account', 'text', column => column.notNull())
    .addColumn('button', 'text', column => column.notNull())
    .addColumn('place', 'text', column => column.notNull())
    .addColumn('due', 'bigint', column => column.notNull())
    .addColumn('created_at', 'bigint', column => column.notNull())
    .addColumn('done_at', 'bigint')
    .addColumn('result', 'text'),
  db.schema.createIndex('presses_due').on('presses').column('due').where(sql.ref('done_at'), 'is', null),
  db.schema
    .createTable('listeners')
    .addColumn('bot', 'text', column => column.primaryKey())
    .addColumn('holder', 'text', column => column.notNull())
    .addColumn('until', 'bigint', column => column.notNull()),
]
