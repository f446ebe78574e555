interface Urgency {
  danger: number
  deadline: number | null
}

/** Dangerous, or due within a quarter of an hour: what people want to know at once. Times in milliseconds. */
export function isUrgent({ danger, deadline }: Urgency, at: number): boolean {
  return danger >= 3 || (deadline !== null && deadline - at <= soon)
}

/** When it becomes urgent if nobody answers; null for never. */
export function urgentAt({ danger, deadline }: Urgency, createdAt: number): number | null {
  if (danger >= 3) return createdAt
  return deadline === null ? null : Math.max(createdAt, deadline - soon)
}

const soon = 15 * 60_000
