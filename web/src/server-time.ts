// Deadlines are told by the server's clock, and the one of this device may be wrong.
let ahead = 0
const wrong = 5_000

/** Takes the time from what the server says with every answer, which is exact to the second. */
export function noteServerTime(date: string | null): void {
  const there = date === null ? Number.NaN : Date.parse(date)
  if (Number.isNaN(there)) return
  const difference = there - Date.now()
  ahead = Math.abs(difference) > wrong ? difference : 0
}

export function serverTime(): number {
  return Date.now() + ahead
}
