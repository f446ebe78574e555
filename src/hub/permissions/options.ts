import type { HubApi, ListFilter } from '../../protocol/index.ts'
import type { Operation } from '../../protocol/operations/index.ts'
import type { Store } from '../../store/store.ts'
import type { Grant } from '../access/grant.ts'
import type { RestrictedHub } from '../shared-hub.ts'

export interface RestrictOptions {
  store: Store
  /** The hub in the name of this caller. */
  hub: HubApi & Pick<RestrictedHub, 'raiseOrJoin' | 'eventPage'>
  /** Lists only what was asked in a key space. */
  listOf: (filter: ListFilter, keySpace: string) => ReturnType<HubApi['list']>
  grant: Grant
  operations?: readonly Operation[]
}
