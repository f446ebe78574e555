import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { createInbox } from '../../src/hub/inbox.ts'
import { listRequests } from '../../src/hub/requests.ts'
import { openLocalHub } from '../../src/open-hub.ts'
import { openStore } from '../../src/store/open.ts'
import type { RequestRecord } from '../../src/store/records.ts'
import { buildSearchIndex } from '../../src/store/search/build-index.ts'
import type { Store, Transaction } from '../../src/store/store.ts'
import { databases, temporaryFolder, testKey } from '../setup/databases.ts'
import { prune, sampleOutcome, sampleRequest } from './samples.ts'

const opened: Store[] = []
afterEach(async () => {
  for (const store of opened.splice(0)) await store.close()
})

async function open(database: string, shift = () => 0): Promise<Store> {
  const store = await openStore({ database, shift })
  opened.push(store)
  return store
}

// One request in each block: no other one can hide that a gram of it is missing.
const building = { blockSize: 1, leastEvents: 1, pauses: false }

const words = [
  'Deploy',
  'rollback',
  'IŞIK',
  'Straße',
  '양파',
  '데이터베이스',
  '部署',
  '数据库',
  'ΟΔΟΣ',
  'Ёлка',
  '😀',
  'a"b\\c',
  'x\ny',
]
const piece = fc.oneof(fc.constantFrom(...words), fc.string({ unit: 'binary', maxLength: 3 }).map(withoutNul))
const someText = fc.array(piece, { maxLength: 6 }).map(pieces => pieces.join(' '))

describe.each(databases)('searching on $name', ({ fresh }) => {
  it('finds the same with the index as without it', async () => {
    const [indexed, plain] = [await open(await fresh()), await open(await fresh())]
    const texts = fc.sample(someText, { numRuns: 300, seed: 21 })
    const records = Array.from({ length: 100 }, (_, i) => recordOf(i, texts.slice(i * 3, i * 3 + 3)))
    await insert(indexed, records)
    await insert(plain, records)
    await buildSearchIndex(indexed, building)
    expect(await indexed.read(view => view.searchProgress())).toMatchObject({ end: expect.stringMatching(/^req_s/) })
    const whole = fc.constantFrom(...texts, ...records.map(({ id }) => id))
    const part = fc.tuple(whole, fc.nat(), fc.integer({ min: 1, max: 5 })).map(([text, at, length]) => {
      const from = at % Math.max(1, text.length)
      return text.slice(from, from + length)
    })
    const cased = fc.tuple(fc.oneof(part, piece), fc.constantFrom('toUpperCase', 'toLowerCase', 'trim' as const))
    await fc.assert(
      fc.asyncProperty(cased, fc.boolean(), async ([text, change], newestFirst) => {
        const search = text[change as 'trim']()
        if (search === '' || search.includes('\0') || !search.isWellFormed()) return
        expect(await history(indexed, search, newestFirst)).toEqual(await history(plain, search, newestFirst))
        const pending = search.split(/\s+/u).filter(Boolean)
        if (pending.length === 0) return
        expect(await inbox(indexed, pending)).toEqual(await inbox(plain, pending))
      }),
      { numRuns: 50, seed: 21 },
    )
  })

  it('finds what is settled or stored late, before the index has it and after', async () => {
    const store = await open(await fresh())
    const records = Array.from({ length: 130 }, (_, i) => recordOf(i, ['question', 'context', '']))
    const [below, between] = [
      recordOf(-1, ['a 양파 soup', '', '']),
      { ...recordOf(50, ['zebra', '', '']), id: 'req_s00050x' },
    ]
    await insert(store, records)
    await buildSearchIndex(store, building)
    await insert(store, [{ ...below, id: 'req_a000000' }, between])
    const settled = records.find(({ id, status }) => id > 'req_s00030' && status === 'pending')?.id ?? ''
    await store.change(
      async tx => {
        await tx.settle(settled, sampleOutcome('고구마'), 5)
        tx.append({ type: 'request.answered', request: settled, run: null, data: {} })
      },
      [`request|${JSON.stringify(settled)}`],
    )
    const found = async () => [
      await history(store, '고구마', true),
      await history(store, 'ZEBRA', false),
      await history(store, '양파', true),
      await inbox(store, ['양파']),
      await history(store, 'quokka', true),
    ]
    const expected = [[settled], ['req_s00050x'], ['req_a000000'], ['req_a000000'], []]
    expect(await found()).toEqual(expected)
    await buildSearchIndex(store, building)
    const [progress, last] = await store.read(view => Promise.all([view.searchProgress(), view.lastEvent()]))
    expect(progress?.event).toBe(last)
    expect(await found()).toEqual(expected)
  })

  it('finds the newest request of the inbox when nothing is left to index', async () => {
    const database = await fresh()
    const store = await open(database)
    await insert(
      store,
      Array.from({ length: 128 }, (_, i) => recordOf(i, [`number ${i} 양파`, '', ''])),
    )
    await buildSearchIndex(store, building)
    const hub = await openLocalHub({ database, env: { BECKON_KEY: testKey }, sweeps: false })
    const { rows, found } = await hub.inbox({ search: '127 양파' })
    expect([rows.map(({ id }) => id), found]).toEqual([['req_s00127'], 1])
    expect((await hub.inbox({ search: '양파' })).found).toBe(64)
    await hub.close()
  })

  it('finds each request of the inbox once when the index is built during the search', async () => {
    const store = await open(await fresh())
    await insert(
      store,
      Array.from({ length: 300 }, (_, i) => recordOf(i, [`number ${i} ${i % 5 === 0 ? '양파' : ''}`, '', ''], false)),
    )
    let reads = 0
    const indexedMeanwhile: Store = {
      ...store,
      read: async work => {
        const result = await store.read(work)
        reads += 1
        // The second read looks through the newest requests, and a later one through the others.
        if (reads === 2) await buildSearchIndex(store, building)
        return result
      },
    }
    const { inbox } = createInbox({ store: indexedMeanwhile, caller })
    const { rows, found } = await inbox({ search: '양파' })
    const expected = Array.from({ length: 60 }, (_, i) => idOf(295 - i * 5))
    expect([found, rows.map(({ id }) => id)]).toEqual([60, expected.slice(0, rows.length)])
  })

  it('is indexed by one builder at a time, and another one finishes what a crash left', async () => {
    const database = await fresh()
    const clock = { moved: 0 }
    const [first, second] = [await open(database), await open(database, () => clock.moved)]
    await insert(
      first,
      Array.from({ length: 200 }, (_, i) => recordOf(i, [`number ${i} 양파`, '', ''])),
    )
    let changes = 0
    const dying: Store = {
      ...first,
      change: async (...args) => {
        changes += 1
        if (changes > 6) throw new Error('The process was killed.')
        return first.change(...args)
      },
    }
    await expect(buildSearchIndex(dying, building)).rejects.toThrow('killed')
    expect(await first.read(view => view.searchProgress())).toMatchObject({ end: '' })
    await buildSearchIndex(second, building)
    expect(await first.read(view => view.searchProgress())).toMatchObject({ end: '' })
    clock.moved = 61_000
    await buildSearchIndex(second, building)
    expect(await first.read(view => view.searchProgress())).toMatchObject({ end: 'req_s001910' })
    expect(await history(first, '양파', true)).toHaveLength(200)
    expect(await history(first, 'number 77 양파', true)).toEqual(['req_s00077'])
  })

  it.each([
    { verb: 'deleteGrams', isIndexed: false },
    { verb: 'beginSegment', isIndexed: false },
    { verb: 'addGrams', isIndexed: false },
    { verb: 'publishSegment', isIndexed: false },
    { verb: 'setSearchProgress', isIndexed: true },
    { verb: 'addGrams', isIndexed: true },
  ] as const)(
    'is left alone by a builder that hung before $verb until another took over (begun: $isIndexed)',
    async ({ verb, isIndexed }) => {
      const database = await fresh()
      const clock = { moved: 0 }
      const [store, other] = [await open(database), await open(database, () => clock.moved)]
      const records = Array.from({ length: 140 }, (_, i) => recordOf(i, [`number ${i}`, '', ''], false))
      await insert(store, records.slice(0, 70))
      if (isIndexed) await buildSearchIndex(store, building)
      if (isIndexed) await insert(store, records.slice(70))
      const hanging = stopBefore(store, verb)
      const hangingBuild = buildSearchIndex(hanging.store, building)
      await hanging.stopped
      const settled = idOf(isIndexed ? 80 : 5)
      await store.change(
        async tx => {
          await tx.settle(settled, sampleOutcome('numeral'), 5)
          tx.append({ type: 'request.answered', request: settled, run: null, data: {} })
        },
        [`request|${JSON.stringify(settled)}`],
      )
      clock.moved = 61_000
      const next = stopBefore(other, 'publishSegment')
      const nextBuild = buildSearchIndex(next.store, building)
      await next.stopped
      const before = hanging.changes()
      hanging.goOn()
      await hangingBuild
      // It is refused, and gives up.
      expect(hanging.changes() - before).toBe(1)
      next.goOn()
      await nextBuild
      expect(await store.read(view => view.searchProgress())).toMatchObject({
        end: isIndexed ? 'req_s001270' : 'req_s000630',
      })
      // It shares pairs of letters with the questions, and so buckets.
      expect(await history(store, 'numeral', true)).toEqual([settled])
      expect(await history(store, 'number 42', true)).toEqual([idOf(42)])
    },
  )

  it('is not taken from a builder that is slow', async () => {
    const database = await fresh()
    const clock = { moved: 0 }
    const [store, other] = [await open(database, () => clock.moved), await open(database, () => clock.moved)]
    await insert(
      store,
      Array.from({ length: 200 }, (_, i) => recordOf(i, [`number ${i} 양파`, '', ''])),
    )
    const takenAway: boolean[] = []
    let hasLease = false
    const slow: Store = {
      ...store,
      read: async work => {
        await take(3_000)
        return store.read(work)
      },
      change: async (...args) => {
        await take(30_000)
        const result = await store.change(...args)
        hasLease = true
        return result
      },
    }
    await buildSearchIndex(slow, building)
    expect(new Set(takenAway)).toEqual(new Set([false]))
    expect(await store.read(view => view.searchProgress())).toMatchObject({ end: 'req_s001910' })

    async function take(later: number) {
      clock.moved += later
      if (!hasLease) return
      const lease = async (tx: Transaction) => tx.takeSearchLease('another builder', (await tx.now()) + 60_000)
      takenAway.push(await other.change(lease, 'search'))
    }
  })

  it('forgets the index of requests that were deleted, and is complete in a backup', async () => {
    const store = await open(await fresh())
    await insert(
      store,
      Array.from({ length: 200 }, (_, i) => recordOf(i, [`number ${i} 양파`, '', ''], i > 0 && i < 140)),
    )
    await buildSearchIndex(store, building)
    const copy = join(temporaryFolder(), 'copy.db')
    await store.backup(copy)
    const restored = await open(copy)
    expect(await restored.read(view => view.searchProgress())).toEqual(await store.read(view => view.searchProgress()))
    expect(await history(restored, 'number 77 양파', true)).toEqual(['req_s00077'])
    await prune(store, 1_000_000)
    expect(await history(store, '양파', true)).toHaveLength(61)
    expect(await history(store, 'number 150 양파', false)).toEqual(['req_s00150'])
    expect(await store.change(tx => tx.deleteEmptySegment(idOf(200)), 'search')).toBe(false)
    const left = [idOf(0), ...Array.from({ length: 60 }, (_, i) => idOf(140 + i))]
    await store.change(
      async tx => {
        for (const id of left) await tx.settle(id, sampleOutcome('yes'), 5)
      },
      left.map(id => `request|${JSON.stringify(id)}`),
    )
    await prune(store, 1_000_000)
    expect(await store.read(view => view.searchProgress())).toMatchObject({ end: '' })
    expect(await store.change(tx => tx.deleteGrams(1), 'search')).toBe(0)
  })
})

/** The same store, which stops before the first change that uses this verb, until it may go on. */
function stopBefore(store: Store, verb: keyof Transaction) {
  const [stopped, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const reached = new Error('The change is rolled back, and made later.')
  let changes = 0
  let hasStopped = false
  const change: Store['change'] = async (work, locks) => {
    changes += 1
    if (hasStopped) return store.change(work, locks)
    try {
      return await store.change(tx => work(refusing(tx)), locks)
    } catch (error) {
      if (error !== reached) throw error
    }
    hasStopped = true
    stopped.resolve()
    await goOn.promise
    return store.change(work, locks)
  }
  return {
    store: { ...store, change },
    stopped: stopped.promise,
    goOn: () => goOn.resolve(),
    changes: () => changes - 1,
  }

  function refusing(tx: Transaction): Transaction {
    return new Proxy(tx, {
      get: (_, name) => {
        if (name === verb) throw reached
        const found = Reflect.get(tx, name)
        return typeof found === 'function' ? found.bind(tx) : found
      },
    })
  }
}

function withoutNul(text: string): string {
  return text.replaceAll('\0', '').toWellFormed()
}

const caller = {
  user: 'me',
  host: 'here',
  directory: '/work',
  agent: 'script',
  channel: 'sdk',
  token: null,
  boundTo: null,
}

function idOf(i: number): string {
  return `req_s${String(i).padStart(5, '0')}`
}

function recordOf(
  i: number,
  [question = '', context = '', answer = '']: string[],
  isSettled = i % 2 === 0,
): RequestRecord {
  return sampleRequest({
    id: idOf(i),
    createdAt: 1,
    body: { questions: [{ id: 'q1', question, options: [] }] } as unknown as RequestRecord['body'],
    title: question.slice(0, 20),
    context: context || null,
    agent: { name: answer.slice(0, 5) || 'shell', cwd: `/work/${i}`, path: [] },
    ...(isSettled ? { status: 'answered', settledAt: 1, outcome: sampleOutcome(answer) } : {}),
  })
}

async function insert(store: Store, records: readonly RequestRecord[]): Promise<void> {
  await store.change(async tx => {
    for (const record of records) {
      await tx.insertRequest(record)
      tx.append({ type: 'request.created', request: record.id, run: null, data: {} })
    }
  })
}

async function history(store: Store, search: string, newestFirst: boolean): Promise<string[]> {
  const found: string[] = []
  for (let after: string | undefined; ; ) {
    const order = newestFirst ? 'desc' : 'asc'
    const page = await listRequests(store, { status: 'all', order, search, limit: 40, ...(after ? { after } : {}) })
    found.push(...page.requests.map(({ id }) => id))
    if (page.next === null) return found
    after = page.next
  }
}

async function inbox(store: Store, searched: string[]): Promise<string[]> {
  const found: string[] = []
  for (let before: string | null = 'req_z'; before !== null; ) {
    const slice: { before: string; size: number } = { before, size: 50 }
    const { ids, next } = await store.read(view => view.matchingPending(searched, slice))
    found.push(...ids)
    before = next
  }
  return found.sort()
}
