import type { AttachmentInput } from '../../protocol/attachment.ts'
import type { Context } from '../context.ts'

/** The files that the asker names; read before anything is opened. */
export async function attachedFiles({ cwd }: Context, paths: readonly string[]): Promise<AttachmentInput[]> {
  if (paths.length === 0) return []
  // Most asks have none, and start faster without this.
  const { readAttachments } = await import('../../system/read-attachment.ts')
  return readAttachments(paths, { directory: cwd })
}
