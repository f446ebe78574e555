import { type Kysely, sql } from 'kysely'
import { prepare } from '../prepare.ts'
import type { AttachmentRow, RequestRow, Tables } from '../schema.ts'
import { compilable } from './settle.ts'

export function attachmentStatements(db: Kysely<Tables>) {
  return {
    insertAttachment: prepare<AttachmentRow>(value =>
      db.insertInto('attachments').values({ id: value('id'), request: value('request'), bytes: value('bytes') }),
    ),

    attachment: prepare<{ id: string; request: string }, Pick<AttachmentRow, 'bytes'>>(value =>
      db
        .selectFrom('attachments')
        .select('bytes')
        .where('id', '=', value('id'))
        .where('request', '=', value('request')),
    ),

    // Nobody answers for several files at once without looking at each.
    listAttachments: prepare<{ request: string; attachments: string }, RequestRow>(value =>
      db
        .updateTable('requests')
        .set({ attachments: value('attachments'), alike: null })
        .where('id', '=', value('request'))
        .where('status', '=', 'pending')
        .returningAll(),
    ),

    // Few at a time: each is up to five megabytes.
    deleteLostAttachments: prepare<{ limit: number }, { id: string }>(value =>
      compilable(
        db,
        sql`delete from attachments where id in (
            select lost.id from attachments as lost
            where not exists (select 1 from requests where requests.id = lost.request)
            limit ${value('limit')} + 0
          ) returning id`,
      ),
    ),
  }
}
