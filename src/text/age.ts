/** How long, in the largest unit that says something: 40s, 12m, 3h, 2d. */
export function ageOf(at: string, now: number): string {
  return spanOf(now - Date.parse(at))
}

export function spanOf(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1_000))
  if (seconds < 60) return `${seconds}s`
  if (seconds < 3_600) return `${Math.floor(seconds / 60)}m`
  if (seconds < 86_400) return `${Math.floor(seconds / 3_600)}h`
  return `${Math.floor(seconds / 86_400)}d`
}
