import * as z from 'zod'
import { limits } from './limits.ts'

const units = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const

/** Reads `90s`, `15m`, `1h30m`, `2d`, `250ms`; a bare number is seconds. Null for anything else. */
export function parseDuration(source: string): number | null {
  const trimmed = source.trim().toLowerCase()
  if (/^\d+(\.\d+)?$/.test(trimmed)) return Math.round(Number(trimmed) * 1_000)
  if (!/^(\d+(\.\d+)?(ms|s|m|h|d|w))+$/.test(trimmed)) return null
  let total = 0
  for (const [, amount, unit] of trimmed.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h|d|w)/g)) {
    total += Number(amount) * units[unit as keyof typeof units]
  }
  return Math.round(total)
}

/** A timeout in milliseconds, from a number of milliseconds or a duration text. */
export const timeout = z
  .union([z.number(), z.string()], { error: 'must be a duration such as 15m, or milliseconds' })
  .transform((value, context) => {
    const ms = typeof value === 'number' ? value : parseDuration(value)
    if (ms === null || !Number.isFinite(ms)) return fail('is not a duration; write 90s, 15m, 1h30m or 2d')
    if (ms <= 0) return fail('must be longer than zero')
    if (ms > limits.timeout) return fail('is longer than ten years')
    return Math.ceil(ms)

    function fail(message: string) {
      context.addIssue({ code: 'custom', message })
      return z.NEVER
    }
  })

const written = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
] as const

/** For people: `1 h`, `1 h 30 min`, `90 ms`. At most two units. */
export function formatDuration(milliseconds: number): string {
  const first = written.findIndex(([, size]) => milliseconds >= size)
  if (first < 0) return `${Math.max(0, Math.round(milliseconds))} ms`
  let rest = milliseconds
  return written
    .slice(first, first + 2)
    .flatMap(([unit, size]) => {
      const count = Math.floor(rest / size)
      rest -= count * size
      return count > 0 ? [`${count} ${unit}`] : []
    })
    .join(' ')
}
