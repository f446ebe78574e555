import type { TargetKind } from '../protocol/index.ts'
import { opensElsewhere } from '../rules/reachable.ts'
import type { OpenTarget } from './sealing.ts'

/** Why people cannot open the links in messages to a target; null where they can. A desktop is where the inbox is. */
export function linkWarning(kind: TargetKind, inbox: string | null): string | null {
  if (kind === 'desktop' || (inbox !== null && opensElsewhere(inbox))) return null
  return `${noAddress(inbox)}: unless you start it with --public-url, such as https://beckon.example.com, links in messages open only on its own machine.`
}

/** Why presses of buttons do not arrive; null where they do. Telegram and Socket Mode need no way to the server. */
export function pressWarning(target: OpenTarget, inbox: string | null): string | null {
  const isCalled = target.kind === 'ntfy' || (target.kind === 'slack' && !target.appToken)
  if (!isCalled || (inbox !== null && opensElsewhere(inbox))) return null
  const what = target.kind === 'ntfy' ? 'messages to the topic have no buttons' : 'Slack cannot say what was pressed'
  return `${noAddress(inbox)}: unless you start it with --public-url, such as https://beckon.example.com, ${what}.`
}

function noAddress(inbox: string | null): string {
  if (inbox === null) return 'No beckon serve has used this database yet'
  return `beckon serve has no public address, only ${inbox}`
}
