import type { Hub } from '../../src/hub/hub.ts'
import { openLocalHub } from '../../src/open-hub.ts'
import type { ListFilter } from '../../src/protocol/index.ts'
import { collectGarbage } from '../../src/store/collect-garbage.ts'
import type { Store } from '../../src/store/store.ts'
import { question } from '../processes/question.ts'
import type { Filled } from './fill.ts'
import { repeatedQuestion } from './patterns.ts'
import { rare } from './texts.ts'

/** A filled database, opened. */
export interface Place extends Filled {
  hub: Hub
  store: Store
}

export interface Operation {
  name: string
  /** Whether it has to stay as fast, or only to take no more than 50 ms. */
  goal: 'flat' | 'search'
  /** Returns the milliseconds that somebody waits. */
  run(place: Place, n: number): Promise<number>
}

const day = 86_400_000

export const operations: Operation[] = [
  flat('ask', async ({ hub }, n) => timed(() => hub.raise(question(`a${n}`)))),
  flat('the same ask again in a run', async ({ hub, loop }) => {
    let id = ''
    const time = await timed(async () => {
      id = (await hub.raise(repeatedQuestion(loop))).id
    })
    await hub.answer(id, { value: 'yes' })
    await hub.confirmDelivery(id)
    return time
  }),
  flat('answer', async ({ hub }, n) => {
    const { id } = await hub.raise(question(`b${n}`))
    return timed(() => hub.answer(id, { value: 'yes' }))
  }),
  flat('from answer to resume', async ({ hub }, n) => {
    const { id } = await hub.raise(question(`c${n}`))
    const settled = hub.wait(id)
    const answered = performance.now()
    const answering = hub.answer(id, { value: 'yes' })
    await settled
    const time = performance.now() - answered
    await answering
    return time
  }),
  flat('get', ({ hub, sample }) => timed(() => hub.get(sample))),
  flat('list, first page', ({ hub }) => timed(() => hub.list())),
  flat('inbox, first page', ({ hub }) => timed(() => hub.inbox())),
  flat('counts', ({ hub }) => timed(() => hub.statistics())),
  flat('list of runs', ({ hub }) => timed(() => hub.runs.list({ limit: 100 }))),
  flat('history, first page', ({ hub }) => timed(() => hub.list({ status: 'all', order: 'desc', limit: 50 }))),
  flat('history of the answered, first page', ({ hub }) =>
    timed(() => hub.list({ status: 'answered', order: 'desc', limit: 50 })),
  ),
  flat('a page of events from a cursor', async ({ hub, store }) => {
    const since = (await store.read(view => view.lastEvent())) >> 1
    return timed(() => hub.events({ since, limit: 100 }))
  }),
  flat('open a hub', async ({ database }) => {
    let opened: Hub | undefined
    const time = await timed(async () => {
      opened = await openLocalHub({ database })
    })
    await opened?.close()
    return time
  }),
  flat('gc with nothing to delete', ({ store }) =>
    timed(() => collectGarbage(store, { before: Date.now() - 365 * day })),
  ),
  inboxSearch('inbox: search with a hit', rare.english),
  inboxSearch('inbox: search without a hit', rare.missing),
  inboxSearch('inbox: search for two Korean letters', rare.korean),
  historySearch('history: search with a hit', rare.english),
  historySearch('history: search without a hit', rare.missing),
  historySearch('history: search for two Korean letters', rare.korean),
]

/** The first command after a long pause. It comes last, because it settles a few of them each time. */
export const firstCommand: Operation = flat('first command, 50,000 deadlines overdue', async ({ database }) => {
  let hub: Hub | undefined
  const time = await timed(async () => {
    hub = await openLocalHub({ database })
    await hub.list({ limit: 1 })
  })
  await hub?.close()
  return time
})

function flat(name: string, run: Operation['run']): Operation {
  return { name, goal: 'flat', run }
}

function inboxSearch(name: string, search: string): Operation {
  return { name, goal: 'search', run: ({ hub }) => timed(() => hub.inbox({ search })) }
}

/** Until a page is full or the beginning is reached: a page may end early, and then the next one is read at once. */
function historySearch(name: string, search: string): Operation {
  return { name, goal: 'search', run: ({ hub }) => timed(() => readPage(hub, search)) }
}

async function readPage(hub: Hub, search: string): Promise<void> {
  const filter: ListFilter = { status: 'all', order: 'desc', search, limit: 50 }
  let found = 0
  for (let after: string | null | undefined; after !== null && found < 50; ) {
    const page = await hub.list({ ...filter, ...(after ? { after } : {}) })
    found += page.requests.length
    after = page.next
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}
