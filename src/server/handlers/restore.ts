import type { Context } from 'hono'
import { bodies } from '../../protocol/operations/schemas.ts'
import { parse } from '../../protocol/parse.ts'
import { HttpFault } from '../errors.ts'
import { bodyOf, type Env, type Handlers, type Restorer, type RouteContext, reply } from '../route-context.ts'

type RestoreName = 'checkpoints.plan' | 'checkpoints.restore'

/** Files change where they are: on the machine of the server. For others, the plan names the command to run there. */
export function restoreHandlers({ restorer }: RouteContext): Pick<Handlers, RestoreName> {
  return {
    'checkpoints.plan': async c => reply(c, await needed(restorer).plan(await checkpointOf(c))),
    'checkpoints.restore': async c => {
      const { force } = parse(bodies.Restore, await bodyOf(c))
      return reply(c, await needed(restorer).restore(await checkpointOf(c), { force }))
    },
  }
}

function checkpointOf(c: Context<Env>) {
  return c.get('caller').hub.checkpoints.get(c.req.param('id') as string)
}

function needed(restorer: Restorer | null): Restorer {
  if (!restorer) throw new HttpFault(501, 'unsupported', 'This server restores no files. Run beckon restore instead.')
  return restorer
}
