import { locale, t } from './words.ts'

const units = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const

/** How long ago, in the largest unit that says something. */
export function ago(at: string, now: number): string {
  const seconds = Math.round((now - Date.parse(at)) / 1_000)
  if (seconds < 10) return t('now')
  return relative(-seconds)
}

export function until(at: string, now: number): string {
  return relative(Math.max(1, Math.round((Date.parse(at) - now) / 1_000)))
}

function relative(seconds: number): string {
  const [unit, size] = units.find(([, size]) => Math.abs(seconds) >= size) ?? units[3]
  return new Intl.RelativeTimeFormat(locale(), { style: 'narrow' }).format(
    // What is to come in 1 h 59 min comes in two hours; what was 1 h 59 min ago was one hour ago.
    seconds < 0 ? Math.ceil(seconds / size) : Math.round(seconds / size),
    unit,
  )
}

/** How long something took: 40s, 12m, 3h 5m, 2d. */
export function took(from: string, to: string): string {
  const seconds = Math.max(0, Math.round((Date.parse(to) - Date.parse(from)) / 1_000))
  const [unit, size] = units.find(([, size]) => seconds >= size) ?? units[3]
  return new Intl.NumberFormat(locale(), { style: 'unit', unit, unitDisplay: 'narrow' }).format(
    Math.floor(seconds / size),
  )
}

export function moment(at: string): string {
  return new Intl.DateTimeFormat(locale(), { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(at))
}

export function clock(at: string): string {
  return new Intl.DateTimeFormat(locale(), { timeStyle: 'medium' }).format(new Date(at))
}

export function day(at: string): string {
  return new Intl.DateTimeFormat(locale(), { dateStyle: 'medium' }).format(new Date(at))
}
