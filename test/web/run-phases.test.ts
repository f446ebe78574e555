import { describe, expect, it } from 'vitest'
import type { Event } from '../../src/protocol/event.ts'
import type { Run } from '../../src/protocol/run.ts'
import { runPhases, timeCovered, timeSpent } from '../../web/src/run/run-phases.ts'

const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 12, minute)).toISOString()
const run = { startedAt: at(0), endedAt: null } as Run
const asked = (from: number, to: number | null) => ({ createdAt: at(from), settledAt: to === null ? null : at(to) })
const event = (id: number, type: Event['type'], minute: number) => ({ id, type, at: at(minute) }) as Event
const now = Date.parse(at(30))
const minutes = (from: number, to: number) => ({ from: Date.parse(at(from)), to: Date.parse(at(to)) })

describe('a run over time', () => {
  it('works, waits while something is open, and sleeps, without gaps', () => {
    const events = [event(2, 'run.woken', 20), event(1, 'run.asleep', 15)]
    expect(runPhases(run, [asked(5, 8), asked(7, 10), asked(12, 20), asked(25, null)], events, now)).toEqual([
      { doing: 'working', ...minutes(0, 5) },
      { doing: 'waiting', ...minutes(5, 10) },
      { doing: 'working', ...minutes(10, 12) },
      { doing: 'waiting', ...minutes(12, 15) },
      { doing: 'asleep', ...minutes(15, 20) },
      { doing: 'working', ...minutes(20, 25) },
      { doing: 'waiting', ...minutes(25, 30) },
    ])
  })

  it('ends with the run, and counts nothing twice', () => {
    const ended = { ...run, endedAt: at(10) }
    const phases = runPhases(ended, [asked(2, 4), asked(3, null)], [event(1, 'run.paused', 9)], now)
    expect(phases.at(-1)).toEqual({ doing: 'paused', ...minutes(9, 10) })
    expect(timeSpent(phases)).toEqual({ working: 120_000, waiting: 420_000, asleep: 0, paused: 60_000 })
    expect(
      timeCovered([
        [3, 5],
        [1, 4],
        [9, 10],
      ]),
    ).toBe(5)
  })
})
