/** Dangerous, or due within a quarter of an hour: what people want to know at once. Times in milliseconds. */
export function isUrgent({ danger, deadline }: { danger: number; deadline: number | null }, at: number): boolean {
  return danger >= 3 || (deadline !== null && deadline - at <= soon)
}

const soon = 15 * 60_000
