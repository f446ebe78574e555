/** What stands on an agent's stdin. */
export type Reply =
  | { type: 'answer'; value: string | null }
  | { type: 'dependency-provided'; name: string; value?: string; ref?: string; id?: string }
  | { type: 'dependency-not-provided'; name: string; reason?: string; id?: string }
  | { type: 'review-approved'; phase?: string; feedback?: string; id?: string }
  | { type: 'review-rejected'; phase?: string; feedback: string; id?: string }
  | { type: 'protocol-error'; tag: string; reason: string }

export type BlockReply = Exclude<Reply, { type: 'answer' }>

interface Form {
  tag: string
  needs: readonly string[]
  may: readonly string[]
}

/** The block of each reply, and its fields in their order. */
export const replyForms: Record<BlockReply['type'], Form> = {
  'dependency-provided': { tag: 'DEPENDENCY_PROVIDED', needs: ['name'], may: ['value', 'ref', 'id'] },
  'dependency-not-provided': { tag: 'DEPENDENCY_NOT_PROVIDED', needs: ['name'], may: ['reason', 'id'] },
  'review-approved': { tag: 'REVIEW_APPROVED', needs: [], may: ['phase', 'feedback', 'id'] },
  'review-rejected': { tag: 'REVIEW_REJECTED', needs: ['feedback'], may: ['phase', 'id'] },
  'protocol-error': { tag: 'PROTOCOL_ERROR', needs: ['tag', 'reason'], may: [] },
}

export const replyTags = Object.values(replyForms).map(form => form.tag)
