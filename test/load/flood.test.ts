import { expect, it } from 'vitest'
import { flood, mostGrowth } from './flood.ts'
import { startLoadServer } from './start.ts'

const count = 5_000

it('5,000 newer asks of one token neither hide a dangerous command nor fill the memory of the server', async () => {
  const { server, stop } = await startLoadServer()
  try {
    const flooded = await flood(server, count, () => {})
    const { dangerous, urgent, waiting, found, memoryBefore, memoryAfter, memoryOfLooks } = flooded
    expect(urgent.rows.map(({ id }) => id)).toEqual([dangerous])
    expect(waiting.rows[0]).toMatchObject({ id: dangerous, urgent: true, severity: 'critical' })
    // Five kinds of questions, each a row.
    expect(waiting.rows.slice(1).map(({ folded }) => folded)).toEqual([999, 999, 999, 999, 999])
    expect(waiting).toMatchObject({ counts: { urgent: 1, waiting: count + 1 }, found: count + 1, next: null })
    expect(waiting.projects).toContainEqual({ directory: '/srv/shop', count: 1, urgent: 1 })
    expect(found).toMatchObject({ rows: [{ id: dangerous }], found: 1 })
    expect(memoryAfter - memoryBefore).toBeLessThan(mostGrowth)
    expect(memoryOfLooks).toBeLessThan(mostGrowth)
  } finally {
    await stop()
  }
}, 120_000)
