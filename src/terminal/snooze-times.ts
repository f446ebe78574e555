export interface SnoozeTime {
  readonly label: string
  readonly until: string
}

/** When a snoozed request may come back, the soonest first, by the clock of this machine. */
export function snoozeTimes(now: number): readonly SnoozeTime[] {
  const tomorrow = morning(now, 1)
  const day = new Date(now).getDay()
  const monday = morning(now, (8 - day) % 7 || 7)
  const hour = 3_600_000
  return [
    { label: 'for an hour', until: now + hour },
    { label: 'for four hours', until: now + 4 * hour },
    { label: 'until tomorrow, 9:00', until: tomorrow },
    ...(monday > tomorrow ? [{ label: 'until Monday, 9:00', until: monday }] : []),
  ].map(({ label, until }) => ({ label, until: new Date(until).toISOString() }))
}

/** Nine in the morning, so many days from today. */
function morning(now: number, days: number): number {
  const at = new Date(now)
  return new Date(at.getFullYear(), at.getMonth(), at.getDate() + days, 9).getTime()
}
