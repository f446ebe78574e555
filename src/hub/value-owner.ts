import { BeckonError } from '../protocol/index.ts'
import type { RequestRecord, RunRecord } from '../store/records.ts'
import type { View } from '../store/store.ts'
import type { Caller } from './caller.ts'
import { scopeOf } from './deduplicate.ts'

// What a person gave to an agent goes to that agent: a value outside of a run to the token that asked, one of a run to
// the ask token bound to the run or to the token that started it. A person's token is none of these, whatever its scope,
// and a browser never is. Without a token, a process on the machine of the hub has what was asked there.

/** Refuses to open a value or spend a yes for a caller that is not its asker. */
export async function refuseForeignUse(view: Pick<View, 'run'>, record: RequestRecord, caller: Caller): Promise<void> {
  if (await isAsker(view, record, caller)) return
  throw new BeckonError('not_allowed', `Only the agent that asked can use the outcome of ${record.id}.`)
}

export async function isAsker(
  view: Pick<View, 'run'>,
  { run: id, scope }: RequestRecord,
  caller: Caller,
): Promise<boolean> {
  if (isBrowser(caller)) return false
  if (id === null) {
    return caller.token === null ? !scope.startsWith('token:') : scope === scopeOf(null, caller.token, '', '')
  }
  if (caller.boundTo === id) return true
  const run = await view.run(id)
  return run !== null && isStarter(run, caller)
}

export function isBrowser({ token, channel }: Caller): boolean {
  return token !== null && channel === 'web'
}

/** Without a token, every process on the machine of the run counts: a recovery there takes the run over. */
export function isStarter(run: RunRecord, { token, host }: Pick<Caller, 'token' | 'host'>): boolean {
  if (token !== null) return run.token === token
  return run.token === null || run.host === host
}
