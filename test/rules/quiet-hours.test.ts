import { expect, it } from 'vitest'
import { endOfQuiet } from '../../src/rules/quiet-hours.ts'

const night = { from: '22:00', to: '07:00' }
const end = (hours: { from: string; to: string }, zone: string, now: string) => {
  const at = endOfQuiet(hours, zone, Date.parse(now))
  return at === null ? null : new Date(at).toISOString()
}

it.each([
  ['begins on the minute', night, 'UTC', '2026-11-16T22:00:00Z', '2026-11-17T07:00:00.000Z'],
  ['ends on the minute', night, 'UTC', '2026-11-17T07:00:00Z', null],
  ['crosses midnight', night, 'UTC', '2026-11-17T06:59:59.999Z', '2026-11-17T07:00:00.000Z'],
  ['is not quiet in the day', night, 'UTC', '2026-11-16T21:59:59Z', null],
  ['lies within a day', { from: '12:00', to: '13:30' }, 'UTC', '2026-11-16T12:10:00Z', '2026-11-16T13:30:00.000Z'],
  ['is by the clock of the person', night, 'Asia/Seoul', '2026-11-16T14:00:00Z', '2026-11-16T22:00:00.000Z'],
  ['is by clocks with half hours', night, 'Asia/Kolkata', '2026-11-16T17:00:00Z', '2026-11-17T01:30:00.000Z'],
  ['follows clocks that go back', night, 'Europe/Berlin', '2026-10-24T22:00:00Z', '2026-10-25T06:00:00.000Z'],
  ['follows clocks that go forward', night, 'Europe/Berlin', '2026-03-28T22:00:00Z', '2026-03-29T05:00:00.000Z'],
])('%s', (_, hours, zone, now, expected) => {
  expect(end(hours, zone, now)).toBe(expected)
})
