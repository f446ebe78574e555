import { expect, it } from 'vitest'
import { putUnderLoad } from './load.ts'
import { startLoadServer } from './start.ts'

it('gives each of a thousand who wait its own answer, and tells a hundred streams of all of them', async () => {
  const { server, stop } = await startLoadServer()
  try {
    const load = { waiting: 1_000, streams: 100, slowly: 50, perSecond: 200 }
    const { wrong, torn } = await putUnderLoad(server, load, () => {})
    expect({ wrong, torn }).toEqual({ wrong: [], torn: 0 })
  } finally {
    await stop()
  }
}, 120_000)
