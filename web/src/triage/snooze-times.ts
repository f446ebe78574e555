import { locale, t } from '../words/translate.ts'

export interface SnoozeTime {
  readonly name: string
  readonly until: Date
}

const evening = 19
const morning = 9
const monday = 1
const anHour = 60 * 60_000

/** Until when something can wait, by the clock on the person's wall. What is less than an hour away is not offered. */
export function snoozeTimes(now: Date): SnoozeTime[] {
  const daysToMonday = (monday - now.getDay() + 7) % 7 || 7
  const times = [
    { name: t('For an hour'), until: new Date(now.getTime() + anHour) },
    { name: t('Until tonight'), until: dayAt(now, 0, evening) },
    { name: t('Until tomorrow'), until: dayAt(now, 1, morning) },
    { name: t('Until next Monday'), until: dayAt(now, daysToMonday, morning) },
  ]
  const [hour, ...later] = times
  return [...(hour ? [hour] : []), ...later.filter(({ until }) => until.getTime() - now.getTime() > anHour)]
}

/** "Tue 09:00": enough for a time within days. */
export function shortMoment(at: Date): string {
  return new Intl.DateTimeFormat(locale(), { weekday: 'short', hour: 'numeric', minute: '2-digit' }).format(at)
}

function dayAt(now: Date, days: number, hour: number): Date {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, hour)
}
