import type { Run } from '../../protocol/index.ts'
import { checkedQuery } from '../read-call.ts'
import { bodyOf, type Handlers, type RouteContext, reply } from '../route-context.ts'

/** The log of a run lies in a file where the run is supervised on this machine, and in the hub where it runs elsewhere. */
export function logHandlers({ runLogs }: RouteContext): Pick<Handlers, 'logs.read' | 'logs.append'> {
  return {
    'logs.read': async c => {
      const { hub } = c.get('caller')
      const run = await hub.runs.get(c.req.param('id') as string)
      const options = { ...checkedQuery('ReadLog', c.req.query()), signal: c.req.raw.signal }
      const page = runLogs?.has(run.id)
        ? runLogs.read(run.id, { ...options, ended: hasNoWriter(run) })
        : hub.logs.read(run.id, options)
      return reply(c, await page)
    },

    'logs.append': async c => {
      const { hub } = c.get('caller')
      const { id } = await hub.runs.get(c.req.param('id') as string)
      // A supervisor of this very home calls us over HTTP.
      if (runLogs?.has(id)) return reply(c, { next: '0.0', closed: false, wanted: false })
      return reply(c, await hub.logs.append(id, (await bodyOf(c)) as never))
    },
  }
}

// A supervisor that was killed leaves its log open; one that was stopped from elsewhere may still be writing.
const graceForWriter = 2_000

function hasNoWriter({ endedAt }: Run): boolean {
  return endedAt !== null && Date.now() - Date.parse(endedAt) > graceForWriter
}
