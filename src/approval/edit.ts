import { invalid } from '../protocol/errors.ts'
import type { HubApi } from '../protocol/hub.ts'
import type { Verdict } from '../protocol/verdict.ts'
import { mayApprove, needsCarefulChannel } from '../rules/careful-channel.ts'
import { harmlessTitle } from '../text/harmless.ts'
import type { CommandContext } from './workspace.ts'

// A person may approve another command than the proposed one. It is judged like any other, where it is answered and
// again where it runs: a person's slip can destroy as much, and what the guard refuses stays refused.

/** What the guard and everybody's rules say about a person's version of an action, as far as this machine knows. */
export async function judgeEdit(hub: Pick<HubApi, 'rules'>, edited: string, where: CommandContext): Promise<Verdict> {
  // The guard and all its rules take time to load: only an edit waits for them.
  const { planCommand } = await import('./plan.ts')
  const { rulesFor } = await import('./project-rules.ts')
  // Only the verdict is used: without a key, an exact rule that is bound to a secret covers nothing.
  return planCommand([edited], where, await rulesFor(hub, where.cwd), () => 'unknown').decision
}

/** What an edit must pass: the guard does not refuse it, and this channel may approve it. `path` names it in errors. */
export function checkEdit({ verdict, severity, reasons }: Verdict, channel: string, path: string): void {
  const why = describeReasons(reasons)
  if (verdict === 'deny') throw invalid([{ path, message: `is refused: ${why}` }])
  if (!mayApprove(severity, channel)) throw needsCarefulChannel(why)
}

export function describeReasons(reasons: Verdict['reasons']): string {
  return reasons.map(({ message }) => harmlessTitle(message)).join('; ')
}
