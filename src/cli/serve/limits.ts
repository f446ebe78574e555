import { type Command, Option } from 'commander'
import { invalid, type Problem } from '../../protocol/errors.ts'
import type { ServerLimits } from '../../server/limits.ts'

// Every limit that an operator can set, once: its flag, its environment variable and its range. docs/limits.md lists them.

interface Limit {
  field: keyof ServerLimits
  flag: string
  unit: 'count' | 'size' | 'seconds'
  usually: number
  least: number
  most: number
  what: string
}

const mebibyte = 1_048_576

const limitFlags: readonly Limit[] = [
  {
    field: 'asksPerSecond',
    flag: 'asks-per-second',
    unit: 'count',
    usually: 200,
    least: 1,
    most: 1_000_000,
    what: "how many requests an agent's token may ask per second",
  },
  {
    field: 'askBurst',
    flag: 'ask-burst',
    unit: 'count',
    usually: 2_000,
    least: 1,
    most: 10_000_000,
    what: 'how many it may ask at once before that counts; ten seconds of it unless given',
  },
  {
    field: 'maxBody',
    flag: 'max-body',
    unit: 'size',
    usually: 8 * mebibyte,
    least: 65_536,
    most: 64 * mebibyte,
    what: 'the largest JSON body, such as 2MiB; files of an ask come on top',
  },
  {
    field: 'maxUpload',
    flag: 'max-upload',
    unit: 'size',
    usually: 100 * mebibyte,
    least: 1_024,
    most: 100 * mebibyte,
    what: 'the largest file that a person may upload',
  },
  {
    field: 'maxWait',
    flag: 'max-wait',
    unit: 'seconds',
    usually: 600,
    least: 1,
    most: 600,
    what: 'how long one call may wait for an answer, such as 60s',
  },
  {
    field: 'maxOpen',
    flag: 'max-open',
    unit: 'count',
    usually: 20_000,
    least: 1,
    most: 1_000_000,
    what: 'how many waits and streams a token may have open',
  },
]

export type LimitOptions = Partial<Record<keyof ServerLimits, string>>

export function addLimitOptions(command: Command): Command {
  for (const limit of limitFlags) {
    const shown = limit.unit === 'count' ? 'number' : limit.unit === 'size' ? 'size' : 'duration'
    command.addOption(new Option(`--${limit.flag} <${shown}>`, `${limit.what} (${format(limit, limit.usually)})`))
  }
  return command
}

function variableOf({ flag }: Pick<Limit, 'flag'>): string {
  return `BECKON_${flag.toUpperCase().replaceAll('-', '_')}`
}

/** A flag counts before its environment variable. */
export async function readLimits(options: LimitOptions, env: NodeJS.ProcessEnv): Promise<ServerLimits> {
  const { parseDuration } = await import('../../protocol/duration.ts')
  const problems: Problem[] = []
  const limits = Object.fromEntries(limitFlags.map(limit => [limit.field, read(limit)])) as unknown as ServerLimits
  if (problems.length > 0) throw invalid(problems)
  const isGiven = options.askBurst !== undefined || env.BECKON_ASK_BURST
  return isGiven ? limits : { ...limits, askBurst: 10 * limits.asksPerSecond }

  function read(limit: Limit): number {
    const flag = options[limit.field]
    const source = flag ?? env[variableOf(limit)]
    if (source === undefined || (flag === undefined && source === '')) return limit.usually
    const value = readNumber(limit, source)
    if (value !== null && value >= limit.least && value <= limit.most) return value
    const range = `${format(limit, limit.least)} to ${format(limit, limit.most)}`
    problems.push({
      path: flag === undefined ? variableOf(limit) : `--${limit.flag}`,
      message: `must be ${range}; it is "${source}"`,
    })
    return limit.usually
  }

  function readNumber({ unit }: Limit, source: string): number | null {
    if (unit === 'seconds') return (parseDuration(source) ?? Number.NaN) / 1_000
    const [, digits, prefix = ''] = /^(\d{1,12})\s*(?:([kmg]i?)?b?)?$/i.exec(source.replaceAll(/[_,]/g, '')) ?? []
    if (digits === undefined || (unit === 'count' && !/^[\d_,]+$/.test(source))) return null
    return Number(digits) * (multiples[prefix.toLowerCase()] ?? 1)
  }
}

const multiples: Record<string, number> = {
  k: 1_000,
  ki: 1_024,
  m: 1_000_000,
  mi: mebibyte,
  g: 1_000_000_000,
  gi: 1_024 * mebibyte,
}

/** One line for people. */
export function describeLimits({
  asksPerSecond,
  askBurst,
  maxBody,
  maxUpload,
  maxWait,
  maxOpen,
}: ServerLimits): string {
  const count = (value: number) => value.toLocaleString('en-US')
  return [
    `${count(asksPerSecond)} asks per second and token (${count(askBurst)} at once)`,
    `bodies up to ${size(maxBody)}`,
    `uploads up to ${size(maxUpload)}`,
    `waits up to ${maxWait}s`,
    `${count(maxOpen)} open waits and streams per token`,
  ].join(', ')
}

function format({ unit }: Pick<Limit, 'unit'>, value: number): string {
  if (unit === 'size') return size(value)
  return unit === 'seconds' ? `${value}s` : String(value)
}

function size(bytes: number): string {
  if (bytes % mebibyte === 0) return `${bytes / mebibyte}MiB`
  return bytes % 1_024 === 0 ? `${bytes / 1_024}KiB` : `${bytes}B`
}
