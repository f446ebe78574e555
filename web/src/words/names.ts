import type { DependencyRequest, Request } from '../../../src/protocol/request.ts'
import type { Run } from '../../../src/protocol/run.ts'
import type { Kind, RunStatus, Status } from '../../../src/protocol/status.ts'
import { titleText } from '../text/untrusted-text.tsx'
import { dangerOf } from '../waiting.ts'
import { t } from './words.ts'

// The words of the protocol, in the reader's language.

export function kindName(request: Request): string {
  const danger = dangerOf(request)
  if (danger === 2) return t('Critical approval')
  if (danger === 1) return t('Dangerous approval')
  return request.kind === 'dependency' ? neededName(request) : plainKindName(request.kind)
}

function neededName({ type }: DependencyRequest): string {
  const names: Record<DependencyRequest['type'], string> = {
    api_key: t('API key'),
    env_variable: t('Environment variable'),
    service: t('Service'),
    file: t('File'),
    permission: t('Permission'),
    package: t('Package'),
  }
  return names[type]
}

export function plainKindName(kind: Kind): string {
  const names: Record<Kind, string> = {
    question: t('Question'),
    dependency: t('Something needed'),
    approval: t('Approval'),
    review: t('Review'),
  }
  return names[kind]
}

export function statusName(status: Status): string {
  const names: Record<Status, string> = {
    pending: t('Waiting'),
    answered: t('Answered'),
    defaulted: t('Default taken'),
    skipped: t('Skipped'),
    declined: t('Declined'),
    expired: t('Expired'),
    cancelled: t('Withdrawn'),
    orphaned: t('Its run has ended'),
  }
  return names[status]
}

export function runStatusName({ status, waiting }: Pick<Run, 'status' | 'waiting'>): string {
  if (waiting.length > 0 && !['paused', 'completed', 'failed', 'stopped'].includes(status)) return t('Waits for you')
  const names: Record<RunStatus, string> = {
    starting: t('Starting'),
    running: t('Running'),
    paused: t('Paused'),
    asleep: t('Asleep'),
    completed: t('Completed'),
    failed: t('Failed'),
    stopped: t('Stopped'),
  }
  return names[status]
}

/** Who decided, and where; a deadline or the end of a run is nobody. */
export function deciderName({ run, outcome }: Request): string {
  if (!outcome) return ''
  const { by, channel, status } = outcome
  if (run !== null && by === run) return status === 'orphaned' ? '' : t('Its run has ended')
  return channel === 'policy' ? channelName(channel) : `${titleText(by, 60)}, ${channelName(channel)}`
}

function channelName(channel: string): string {
  const names: Record<string, string> = {
    web: t('in the browser'),
    terminal: t('in a terminal'),
    cli: t('from the command line'),
    http: t('over HTTP'),
    rule: t('by a rule'),
    policy: t("by the asker's own deadline"),
    file: t('from a file'),
  }
  // Another program may call its channel what it likes.
  return Object.hasOwn(names, channel) ? (names[channel] ?? channel) : titleText(channel, 40)
}
