import type { Migration } from './migration.ts'

export const addCheckpoints: Migration = db => [
  db.schema
    .createTable('checkpoints')
    .addColumn('id', 'text', column => column.primaryKey())
    .addColumn('run', 'text', column => column.notNull())
    .addColumn('start', 'integer', column => column.notNull())
    .addColumn('reason', 'text', column => column.notNull())
    .addColumn('body', 'text', column => column.notNull())
    .addColumn('taken_at', 'bigint', column => column.notNull()),
  db.schema.createIndex('checkpoints_run').on('checkpoints').columns(['run', 'id']),
]
