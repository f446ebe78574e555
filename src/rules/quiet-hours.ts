/** Hours of the day in which a person wants to hear nothing: `22:00` to `07:00`, by their own clock. */
export interface QuietHours {
  from: string
  to: string
}

const minute = 60_000
const day = 24 * 60

/** When the quiet hours end that it is now; null if it is not quiet now. Times in milliseconds. */
export function endOfQuiet({ from, to }: QuietHours, timeZone: string, now: number): number | null {
  const [start, end, current] = [minutesOf(from), minutesOf(to), minutesAt(now, timeZone)]
  const sinceStart = (current - start + day) % day
  const length = (end - start + day) % day
  if (sinceStart >= length) return null
  const ends = Math.floor(now / minute) * minute + (length - sinceStart) * minute
  // Clocks may have changed in between.
  const offBy = ((minutesAt(ends, timeZone) - end + day * 1.5) % day) - day / 2
  return Math.max(now + 1, ends - offBy * minute)
}

function minutesOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return hours * 60 + minutes
}

function minutesAt(at: number, timeZone: string): number {
  const format = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
  return minutesOf(format.format(at))
}
