import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { onTimeouts } from '../../src/protocol/status.ts'
import { dueText, shortDueText } from '../../src/terminal/due-text.ts'
import { aQuestion, aRequest } from './requests.ts'

const asked = Date.parse('2026-01-01T00:00:00Z')
const minute = 60_000
const at = (minutes: number) => new Date(asked + minutes * minute).toISOString()
const request = aRequest([aQuestion()])

describe('the words for a deadline', () => {
  it.each([
    [{ onTimeout: 'default' }, 5, 'Due in 5 min: its default', 'in 5m'],
    [{ onTimeout: 'fail' }, 10, 'Time is up: it expires in a moment.', 'now'],
    [{ onTimeout: 'default' }, 11, 'Time is up: its default is used in a moment.', 'now'],
    [{ onTimeout: 'remind' }, 9.9999, 'Due in 1 s: a reminder; it stays open, because an answer is required', 'in 1s'],
    [{ onTimeout: 'remind' }, 10.1, 'Overdue for 6s: a reminder comes in a moment.', '6s ago'],
    [
      { onTimeout: 'remind', remindAt: at(20) },
      15,
      'Reminder · waiting for 15m, overdue for 5m, next reminder in 5m',
      '5m ago',
    ],
    [
      { onTimeout: 'remind', remindAt: at(20) },
      21,
      'Reminder · waiting for 21m, overdue for 11m, next reminder in a moment',
      '11m ago',
    ],
    [{ onTimeout: 'remind', remindAt: null }, 15, 'Reminder · waiting for 15m, overdue for 5m', '5m ago'],
  ] as const)('%o after %d minutes of ten', (more, minutes, text, short) => {
    const one = { ...request, createdAt: at(0), deadline: at(10), ...more }
    const now = asked + minutes * minute
    expect([dueText(one, now), shortDueText(one, now)]).toEqual([text, short])
  })

  it('name the default that will be used', () => {
    const ship = aRequest([aQuestion({ labels: ['yes', 'no'], default: 'no' })], false)
    const one = { ...ship, createdAt: at(0), deadline: at(10), onTimeout: 'default' as const }
    expect(dueText(one, asked + 10 * minute - 8_400)).toBe('Due in 9 s: no')
    expect(dueText(one, asked + 5.5 * minute)).toBe('Due in 4 min 30 s: no')
  })

  it('never count what is left down to zero or below, whatever the clocks say', () => {
    const time = fc.integer({ min: asked - 1e9, max: asked + 1e9 })
    fc.assert(
      fc.property(
        time,
        time,
        fc.constantFrom(...onTimeouts),
        fc.option(time, { nil: undefined }),
        (deadline, now, onTimeout, next) => {
          const remindAt =
            next === undefined || onTimeout !== 'remind' ? {} : { remindAt: new Date(next).toISOString() }
          const one = { ...request, deadline: new Date(deadline).toISOString(), onTimeout, ...remindAt }
          expect(`${dueText(one, now)} ${shortDueText(one, now)}`).not.toMatch(/\bin (0 ?s|0 ms|-)|-\d/)
        },
      ),
    )
  })

  it('are left out without a deadline, and once the request is settled', () => {
    expect(dueText(request, asked)).toBeNull()
    expect(dueText({ ...request, deadline: at(1), status: 'answered' }, asked)).toBeNull()
    expect(shortDueText(request, asked)).toBe('')
  })
})
