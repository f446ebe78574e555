import type { HubApi } from '../../protocol/hub.ts'
import type { Place } from '../../supervisor/context.ts'
import type { Safe } from '../../supervisor/environment.ts'
import { homeOf } from '../../system/home.ts'
import { holderFile, programFile } from '../../system/programs.ts'
import type { Context } from '../context.ts'

/** Where the runs of this machine are supervised. */
export function placeOf({ env }: Pick<Context, 'env'>, hub: HubApi, safe: Safe): Place {
  return {
    hub,
    home: homeOf(env),
    holder: holderFile(),
    commands: [programFile('beckon.js'), programFile('ask-user-question.js')],
    safe,
    ships: Boolean(env.BECKON_URL) || /^postgres(ql)?:/i.test(env.BECKON_DB ?? ''),
    overHttp: Boolean(env.BECKON_URL),
    env,
  }
}
