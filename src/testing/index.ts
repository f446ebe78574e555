import '../system/node-version.ts'

export type { Match } from './match.ts'
export type { Person } from './person.ts'
export type { Script } from './script.ts'
export { openTestHub, type TestClock, type TestHub, type TestHubOptions } from './test-hub.ts'
