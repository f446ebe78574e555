import type { Kysely } from 'kysely'
import { prepare } from '../prepare.ts'
import type { LogEndRow, RunLogRow, Tables } from '../schema.ts'
import { one, upTo } from './shared.ts'

const endColumns = ['number', 'end_offset', 'end_notes', 'total', 'closed'] as const

export function runLogStatements(db: Kysely<Tables>) {
  return {
    logEnd: prepare<{ run: string }, LogEndRow>(value =>
      db.selectFrom('run_logs').select(endColumns).where('run', '=', value('run')).orderBy('number', 'desc').limit(one),
    ),

    logStart: prepare<{ run: string }, { start_offset: number }>(value =>
      db.selectFrom('run_logs').select('start_offset').where('run', '=', value('run')).orderBy('number').limit(one),
    ),

    logPieces: prepare<{ run: string; offset: number; notes: number; limit: number }, RunLogRow>(value =>
      db
        .selectFrom('run_logs')
        .selectAll()
        .where('run', '=', value('run'))
        .where(eb =>
          eb.or([
            eb('end_offset', '>', value('offset')),
            eb.and([eb('end_offset', '=', value('offset')), eb('end_notes', '>', value('notes'))]),
          ]),
        )
        .orderBy('number')
        .limit(upTo(value('limit'))),
    ),

    insertLogPiece: prepare<RunLogRow>(value =>
      db.insertInto('run_logs').values({
        run: value('run'),
        number: value('number'),
        start_offset: value('start_offset'),
        end_offset: value('end_offset'),
        end_notes: value('end_notes'),
        total: value('total'),
        closed: value('closed'),
        records: value('records'),
        bytes: value('bytes'),
      }),
    ),

    // The last piece stays, because it says where the log ends.
    trimLog: prepare<{ run: string; total: number; last: number }>(value =>
      db
        .deleteFrom('run_logs')
        .where('run', '=', value('run'))
        .where('total', '<=', value('total'))
        .where('number', '<', value('last')),
    ),
  }
}
