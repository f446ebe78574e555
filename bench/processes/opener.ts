import { openHub } from '../../src/open-hub.ts'
import { isPostgres } from '../../src/store/open.ts'

// Measures opening the hub, after its imports, and reading the first page of pending requests.
const database = process.argv[2] ?? ''
await (isPostgres(database) ? import('../../src/store/postgres/store.ts') : import('../../src/store/sqlite/store.ts'))

const began = performance.now()
const hub = await openHub({ database })
const ready = performance.now()
const { requests } = await hub.list()
const listed = performance.now()
if (requests.length !== 100) throw new Error('expected a full page')
await hub.close()
process.send?.({ ready: ready - began, list: listed - ready }, () => process.exit())
