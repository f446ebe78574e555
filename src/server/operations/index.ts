import { notify } from './notify.ts'
import type { Operation } from './operation.ts'
import { requests } from './requests.ts'
import { runs } from './runs.ts'
import { server } from './server.ts'
import { standing } from './standing.ts'
import { tokens } from './tokens.ts'

export type { Operation } from './operation.ts'

/** Every call of the API. */
export const operations: readonly Operation[] = [...requests, ...runs, ...standing, ...tokens, ...notify, ...server]
