/** A reply on an agent's stdin. */
export type Reply =
  | { type: 'answer'; value: string | null }
  | { type: 'dependency-provided'; name: string; value?: string; ref?: string; id?: string }
  | { type: 'dependency-not-provided'; name: string; reason?: string; id?: string }
  | { type: 'review-approved'; phase?: string; feedback?: string; id?: string }
  | { type: 'review-rejected'; phase?: string; feedback: string; id?: string }
  | { type: 'protocol-error'; tag: string; reason: string }

export type BlockReply = Exclude<Reply, { type: 'answer' }>

interface ReplyFormat {
  tag: string
  required: readonly string[]
  optional: readonly string[]
}

/** The block of each reply, with its fields in order. */
export const replyFormats: Record<BlockReply['type'], ReplyFormat> = {
  'dependency-provided': { tag: 'DEPENDENCY_PROVIDED', required: ['name'], optional: ['value', 'ref', 'id'] },
  'dependency-not-provided': { tag: 'DEPENDENCY_NOT_PROVIDED', required: ['name'], optional: ['reason', 'id'] },
  'review-approved': { tag: 'REVIEW_APPROVED', required: [], optional: ['phase', 'feedback', 'id'] },
  'review-rejected': { tag: 'REVIEW_REJECTED', required: ['feedback'], optional: ['phase', 'id'] },
  'protocol-error': { tag: 'PROTOCOL_ERROR', required: ['tag', 'reason'], optional: [] },
}

export const replyTags = Object.values(replyFormats).map(format => format.tag)
