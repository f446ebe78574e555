import type { HubApi } from '../../protocol/hub.ts'
import type { SupervisorContext } from '../../supervisor/context.ts'
import type { FileSealer } from '../../supervisor/file-sealer.ts'
import { homeOf } from '../../system/home.ts'
import { holderFile, programFile } from '../../system/programs.ts'
import type { Context } from '../context.ts'

/** For supervising the runs of this machine. */
export function supervisorContext({ env }: Pick<Context, 'env'>, hub: HubApi, sealer: FileSealer): SupervisorContext {
  return {
    hub,
    home: homeOf(env),
    holder: holderFile(),
    ownPrograms: [programFile('beckon.js'), programFile('ask-user-question.js')],
    sealer,
    shipsLogs: Boolean(env.BECKON_URL) || /^postgres(ql)?:/i.test(env.BECKON_DB ?? ''),
    overHttp: Boolean(env.BECKON_URL),
    env,
  }
}
