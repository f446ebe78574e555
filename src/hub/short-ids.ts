import type { FindIdsInput, FoundId, HubApi, IdNoun } from '../protocol/index.ts'
import { parse } from '../protocol/parse.ts'
import { findIdsSchema } from '../protocol/short-id.ts'
import { titleOf } from '../rules/title.ts'
import type { Store, View } from '../store/store.ts'
import { toRequest } from './to-protocol.ts'

const mostFound = 50

/** Which ids a person may mean who typed the end of one. */
export function createShortIds(store: Store): Pick<HubApi, 'findIds'> {
  return {
    findIds(input: FindIdsInput) {
      const { end, of } = parse(findIdsSchema, input)
      return store.read(async view => {
        const ids = await view.idsEndingWith(of, end.toLowerCase(), mostFound)
        const found = await Promise.all(ids.map(id => describe[of](view, id)))
        return found.filter(one => one !== null)
      })
    },
  }
}

const describe: Record<IdNoun, (view: View, id: string) => Promise<FoundId | null>> = {
  async request(view, id) {
    const record = await view.request(id)
    return record && { id, title: titleOf(toRequest(record)), status: record.status }
  },
  async run(view, id) {
    const record = await view.run(id)
    return record && { id, title: record.name, status: record.status }
  },
  async checkpoint(view, id) {
    const record = await view.checkpoint(id)
    return record && { id, title: record.reason, status: null }
  },
}
