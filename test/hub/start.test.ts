import { describe, expect, it } from 'vitest'
import { openLocalHub } from '../../src/open-hub.ts'
import { databases } from '../setup/databases.ts'

const question = { questions: [{ question: 'Still there?' }], onTimeout: 'fail' as const }

describe.each(databases)('a hub that opens on $name', ({ fresh }) => {
  it('fires the deadlines that passed while no process ran, before it is used', async () => {
    const database = await fresh()
    let moved = 0
    const open = () => openLocalHub({ database, env: {}, shift: () => moved })
    const before = await open()
    const { id } = await before.raise({ ...question, timeout: '1h' })
    await before.close()
    moved = 3_600_001
    const after = await open()
    expect(await after.get(id)).toMatchObject({ status: 'expired', outcome: { channel: 'policy' } })
    await after.close()
  })

  it('fires deadlines while it is open, also those of another process', async () => {
    const database = await fresh()
    const [asker, otherHub] = [
      await openLocalHub({ database, env: {}, sweeps: false }),
      await openLocalHub({ database, env: {} }),
    ]
    const { id: own } = await otherHub.raise({ ...question, timeout: 20 })
    const { id: foreign } = await asker.raise({ ...question, timeout: 30, context: 'set elsewhere' })
    // The other hub fires them only because it is open.
    expect((await otherHub.wait(own)).status).toBe('expired')
    expect((await asker.wait(foreign)).status).toBe('expired')
    await Promise.all([asker.close(), otherHub.close()])
  })

  it('does not fire a deadline when the clock is set back', async () => {
    const database = await fresh()
    let moved = 0
    const hub = await openLocalHub({ database, env: {}, shift: () => moved, sweeps: false })
    const { id } = await hub.raise({ ...question, timeout: 1_000 })
    moved = -3_600_000
    expect(await hub.sweep()).toBe(0)
    expect((await hub.get(id)).status).toBe('pending')
    moved = 1_001
    expect(await hub.sweep()).toBe(1)
    await hub.close()
  })
})
