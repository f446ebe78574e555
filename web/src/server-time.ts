// Deadlines follow the server's clock; the clock of this device may be wrong.
let offset = 0
const tolerance = 5_000

/** Reads the `Date` header of a response, which is exact to the second. */
export function noteServerTime(date: string | null): void {
  const time = date === null ? Number.NaN : Date.parse(date)
  if (Number.isNaN(time)) return
  const difference = time - Date.now()
  offset = Math.abs(difference) > tolerance ? difference : 0
}

export function serverTime(): number {
  return Date.now() + offset
}
