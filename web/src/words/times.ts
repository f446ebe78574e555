import { locale, t } from './translate.ts'

const units = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const

const aWeek = 7 * 86_400

/** How long ago, in the largest fitting unit; a date if it was a week or more. */
export function ago(at: string, now: number): string {
  const seconds = Math.round((now - Date.parse(at)) / 1_000)
  if (seconds >= aWeek) return dayOf(at, now)
  return seconds < 10 ? t('now') : relative(-seconds)
}

export function until(at: string, now: number): string {
  const seconds = Math.round((Date.parse(at) - now) / 1_000)
  return seconds < 1 ? t('any moment') : relative(seconds)
}

function relative(seconds: number): string {
  const [unit, size] = units.find(([, size]) => Math.abs(seconds) >= size) ?? units[3]
  return formatter(Intl.RelativeTimeFormat, { style: 'narrow' }).format(
    // 1 h 59 min from now is "in 2 hours"; 1 h 59 min ago is "1 hour ago".
    seconds < 0 ? Math.ceil(seconds / size) : Math.round(seconds / size),
    unit,
  )
}

/** How old, as short as a row of the list needs it: 40s, 2m, 3h, 5d. */
export function age(at: string, now: number): string {
  const seconds = Math.max(0, Math.round((now - Date.parse(at)) / 1_000))
  const [unit, size] = units.find(([, size]) => seconds >= size) ?? units[3]
  return seconds < 10 ? t('now') : formatUnit(Math.floor(seconds / size), unit)
}

/** The day, with the year unless it is this one. */
export function dayOf(at: string, now: number): string {
  const isThisYear = new Date(at).getFullYear() === new Date(now).getFullYear()
  return formatter(Intl.DateTimeFormat, {
    month: 'short',
    day: 'numeric',
    ...(isThisYear ? {} : { year: 'numeric' }),
  }).format(new Date(at))
}

/** How long something took: 40s, 12m, 3h 5m, 2d. */
export function took(from: string, to: string): string {
  return duration(Date.parse(to) - Date.parse(from))
}

export function duration(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1_000))
  const largest = units.findIndex(([, size]) => seconds >= size)
  const [unit, size] = units[largest] ?? units[3]
  const count = Math.floor(seconds / size)
  const [smaller, smallerSize] = units[largest + 1] ?? units[3]
  const rest = Math.floor((seconds % size) / smallerSize)
  // Nobody needs the hours of 12 days or the seconds of 40 minutes.
  return count < 10 && rest > 0 && unit !== smaller
    ? `${formatUnit(count, unit)} ${formatUnit(rest, smaller)}`
    : formatUnit(count, unit)
}

/** How long a request has been waiting, said when a reminder comes. */
export function reminderText({ createdAt }: { createdAt: string }, now: number): string {
  return t('Reminder · waiting for {time}', { time: took(createdAt, new Date(now).toISOString()) })
}

function formatUnit(count: number, unit: string): string {
  return formatter(Intl.NumberFormat, { style: 'unit', unit, unitDisplay: 'narrow' }).format(count)
}

export function moment(at: string): string {
  return formatter(Intl.DateTimeFormat, { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(at))
}

export function clock(at: string): string {
  return formatter(Intl.DateTimeFormat, { timeStyle: 'medium' }).format(new Date(at))
}

export function isSameDay(one: string, other: string): boolean {
  return new Date(one).toDateString() === new Date(other).toDateString()
}

const formatters = new Map<string, unknown>()

/** Making one takes longer than drawing the row that it is for, so each is made once. */
function formatter<Options, Made>(Kind: new (locale: string, options: Options) => Made, options: Options): Made {
  const key = JSON.stringify([Kind.name, locale(), options])
  const made = (formatters.get(key) as Made | undefined) ?? new Kind(locale(), options)
  formatters.set(key, made)
  return made
}
