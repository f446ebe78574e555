/** The time since `at`, in its largest unit: 40s, 12m, 3h, 2d. */
export function ageOf(at: string, now: number): string {
  return formatDuration(now - Date.parse(at))
}

export function formatDuration(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1_000))
  if (seconds < 60) return `${seconds}s`
  if (seconds < 3_600) return `${Math.floor(seconds / 60)}m`
  if (seconds < 86_400) return `${Math.floor(seconds / 3_600)}h`
  return `${Math.floor(seconds / 86_400)}d`
}
