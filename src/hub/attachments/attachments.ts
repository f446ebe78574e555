import {
  type Attachment,
  type AttachmentInput,
  type AttachmentsApi,
  attachmentInputSchema,
  BeckonError,
  type Request,
} from '../../protocol/index.ts'
import { parse } from '../../protocol/parse.ts'
import { requestLock } from '../../store/locks.ts'
import type { RequestRecord } from '../../store/records.ts'
import type { Store, Transaction } from '../../store/store.ts'
import { newId } from '../ids.ts'
import { notFound } from '../not-found.ts'
import { toRequest } from '../to-protocol.ts'
import { type PreparedFile, prepareFiles, refuseTooMuch } from './prepare.ts'

/** Pictures and other files for the person who decides. They are stored with their request, and deleted with it. */
export function createAttachments(store: Store): AttachmentsApi {
  return { list, read, add }

  async function list(id: string) {
    const record = await store.read(view => view.request(id))
    if (!record) throw notFound('request', id)
    return record.attachments
  }

  async function read(id: string, attachment: string) {
    const bytes = await store.read(view => view.attachment(id, attachment))
    if (!bytes) throw notFound('attachment', attachment)
    return bytes
  }

  async function add(id: string, input: AttachmentInput): Promise<Request> {
    const [file] = prepareFiles([parse(attachmentInputSchema, input)], () => 'data') as [PreparedFile]
    const record = await store.change(tx => addTo(tx, id, file), requestLock(id))
    return toRequest(record)
  }
}

async function addTo(tx: Transaction, id: string, file: PreparedFile): Promise<RequestRecord> {
  const record = await tx.request(id)
  if (!record) throw notFound('request', id)
  if (record.attachments.some(({ name, hash }) => name === file.name && hash === file.hash)) return record
  refuseTooMuch([...record.attachments, file])
  const named = nameFiles([file], await tx.now())
  await insertFiles(tx, id, named)
  const changed = await tx.listAttachments(id, [...record.attachments, ...named.map(listed)])
  if (!changed) throw isSettled(record)
  tx.append({
    type: 'request.attached',
    request: id,
    run: record.run,
    data: { attachments: named.map(({ id }) => id) },
  })
  return changed
}

export type NamedFile = PreparedFile & { id: string }

export function nameFiles(files: readonly PreparedFile[], now: number): NamedFile[] {
  return files.map(file => ({ id: newId('att', now), ...file }))
}

/** Stores the bytes. The request is stored in the same transaction, and lists them. */
export async function insertFiles(tx: Transaction, request: string, files: readonly NamedFile[]): Promise<void> {
  for (const { id, bytes } of files) await tx.insertAttachment({ id, request, bytes })
}

/** A file as its request lists it. */
export function listed({ bytes: _, ...attachment }: NamedFile): Attachment {
  return attachment
}

function isSettled({ id, status, outcome }: RequestRecord): BeckonError {
  return new BeckonError('changed', `${id} is settled (${status}); a file can only be added while it is open.`, outcome)
}
