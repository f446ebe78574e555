import { expect, it } from 'vitest'
import { runLoad } from './load.ts'
import { startLoadServer } from './start.ts'

it('the server gives each of a thousand waiters its own answer, and a hundred streams every event', async () => {
  const { server, stop } = await startLoadServer()
  try {
    const load = { waiting: 1_000, streams: 100, slowly: 50, perSecond: 200 }
    const { wrong, torn } = await runLoad(server, load, () => {})
    expect({ wrong, torn }).toEqual({ wrong: [], torn: 0 })
  } finally {
    await stop()
  }
}, 120_000)
