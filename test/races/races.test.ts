import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openHub } from '../../src/open-hub.ts'
import type { HubApi, Request, Settlement } from '../../src/protocol/index.ts'
import { freshDatabase } from '../setup/postgres.ts'
import type { Result } from './processes/racer.ts'
import { type Racers, startRacers } from './racers.ts'

const racerCount = 50
const rounds = [1, 2, 3, 4, 5]
const raceTimeout = 120_000

let racers: Racers
const folder = mkdtempSync(join(tmpdir(), 'beckon-races-'))

beforeAll(async () => {
  racers = await startRacers(racerCount)
}, raceTimeout)

afterAll(async () => {
  await racers?.end()
  rmSync(folder, { recursive: true, force: true })
})

describe.each([
  ['SQLite', async () => join(folder, 'home', 'beckon.db')],
  ['PostgreSQL', freshDatabase],
])('many processes on %s', (_, fresh) => {
  let database: string
  let hub: HubApi

  beforeAll(async () => {
    database = await fresh()
  })

  afterAll(async () => {
    await hub?.close()
    await racers.race(racerCount, () => ({ verb: 'close' }))
  }, raceTimeout)

  it('open a new database at the same time, and all of them can use it', { timeout: raceTimeout }, async () => {
    const opened = await racers.race(20, () => ({ verb: 'open', database }))
    expect(opened).toEqual(opened.map(() => ({ value: null })))
    const raised = await racers.race(20, n => ({ verb: 'raise', input: question(`Who is number ${n}?`) }))
    expect(new Set(valuesOf<Request>(raised).map(({ id }) => id)).size).toBe(20)
    await racers.race(20, () => ({ verb: 'close' }))
    await racers.race(racerCount, () => ({ verb: 'open', database }))
    hub = await openHub(database)
  })

  it.for(rounds)('answer one request with different values, and exactly one wins (%i)', async round => {
    const { id } = await hub.raise(question(`Who wins round ${round}?`))
    const waiting = hub.wait(id)
    const results = await racers.race(racerCount, n => ({ verb: 'answer', id, input: answer(n) }))
    const settlements = valuesOf<Settlement>(results)
    const winner = settlements.findIndex(({ won }) => won)
    const stored = await hub.get(id)

    expect(settlements.filter(({ won }) => won)).toHaveLength(1)
    expect(settlements.filter(({ replay }) => replay)).toHaveLength(0)
    expect(stored.outcome).toMatchObject({ by: `person ${winner}`, answers: [{ text: `value ${winner}` }] })
    for (const { request } of settlements) expect(request.outcome).toEqual(stored.outcome)
    expect((await waiting).outcome).toEqual(stored.outcome)
  })

  it.for(rounds)('ask with the same key, and it is one request (%i)', async round => {
    const input = { ...question(`Deploy ${round}?`), key: `deploy-${round}` }
    const raised = valuesOf<Request>(await racers.race(racerCount, () => ({ verb: 'raise', input })))

    expect(new Set(raised.map(({ id }) => id)).size).toBe(1)
    expect(await eventsOf(raised[0]?.id)).toEqual(['request.created'])
  })

  it.for(rounds)('ask the same without a key, and it is one request (%i)', async round => {
    const input = question(`Continue ${round}?`)
    const raised = valuesOf<Request>(await racers.race(racerCount, () => ({ verb: 'raise', input })))

    expect(new Set(raised.map(({ id }) => id)).size).toBe(1)
  })

  it.for(rounds)('ask different things with the same key, and all but one are refused (%i)', async round => {
    const key = `conflict-${round}`
    const results = await racers.race(racerCount, n => ({ verb: 'raise', input: { ...question(`Is it ${n}?`), key } }))
    const raised = results.filter(result => 'value' in result)
    const refused = results.filter(result => 'code' in result)

    expect(raised).toHaveLength(1)
    expect(new Set(refused.map(({ code }) => code))).toEqual(new Set(['key_conflict']))
    for (const { message } of refused) expect(message).toContain(valuesOf<Request>(raised)[0]?.id)
  })

  async function eventsOf(id: string | undefined): Promise<string[]> {
    const events = []
    for (let since = 0; ; ) {
      const page = await hub.events({ since })
      events.push(...page)
      since = page.at(-1)?.id ?? since
      if (page.length === 0) return events.filter(event => event.request === id).map(event => event.type)
    }
  }
})

function question(text: string) {
  return { questions: [{ question: text }] }
}

function answer(n: number) {
  return { value: `value ${n}`, by: `person ${n}` }
}

function valuesOf<Value>(results: Result[]): Value[] {
  return results.map(result => {
    if ('code' in result) throw new Error(result.message)
    return result.value as Value
  })
}
