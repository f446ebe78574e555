import type { AskInput, AttachmentInput } from '../protocol/index.ts'
import type { AttachedFile } from '../typed/ask.ts'

/** The ask with every path read. What else is wrong with it, the hub says. */
export async function withFiles(input: unknown, directory: string): Promise<AskInput> {
  const given = (input as { attachments?: readonly AttachedFile[] } | undefined)?.attachments
  if (!Array.isArray(given) || !given.some(file => typeof file === 'string')) return input as AskInput
  const { readAttachments } = await import('../system/read-attachment.ts')
  const paths = given.filter(file => typeof file === 'string')
  const read = await readAttachments(paths, { directory })
  const attachments = given.map(file => (typeof file === 'string' ? (read.shift() as AttachmentInput) : file))
  return { ...(input as object), attachments } as AskInput
}
