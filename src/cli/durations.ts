import { invalid } from '../protocol/errors.ts'
import { limits } from '../protocol/limits.ts'

/**
 * Milliseconds from `90s`, `15m` or `1h30m`. `path` is the flag or variable that an error names;
 * `unit` refuses a bare number.
 */
export async function readDuration(source: string, path: string, { zero = false, unit = false } = {}): Promise<number> {
  const { parseDuration } = await import('../protocol/duration.ts')
  const ms = parseDuration(source)
  const problem =
    unit && /^\s*\d+(\.\d+)?\s*$/.test(source)
      ? `needs a unit: ${source.trim()}s for seconds, ${source.trim()}m for minutes`
      : ms === null
        ? 'is not a duration; write 90s, 15m, 1h30m or 2d'
        : ms <= 0 && !zero
          ? 'must be longer than zero'
          : ms > limits.timeout
            ? 'is longer than ten years'
            : null
  if (problem) throw invalid([{ path, message: problem }])
  return ms ?? 0
}

/** How long to wait off a terminal. The default is below the two minutes that coding agents give a command. */
export function waitLimit(env: NodeJS.ProcessEnv, flag?: string): Promise<number> {
  if (flag !== undefined) return readDuration(flag, 'wait', { zero: true })
  return readDuration(env.BECKON_WAIT || '100s', 'BECKON_WAIT', { zero: true })
}
