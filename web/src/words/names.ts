import type { InboxRow } from '../../../src/protocol/inbox.ts'
import type { DependencyRequest, Request } from '../../../src/protocol/request.ts'
import type { Run } from '../../../src/protocol/run.ts'
import type { Kind, RunStatus, Status } from '../../../src/protocol/status.ts'
import { dangerLevel } from '../state/danger.ts'
import { titleText } from '../text/untrusted-text.tsx'
import { reasons } from './run-reasons.ts'
import { t, translateOneOf } from './translate.ts'

// The names of the protocol's values, in the reader's language.

export function kindName(request: Request): string {
  const danger = dangerLevel(request)
  if (danger === 2) return t('Critical approval')
  if (danger === 1) return t('Dangerous approval')
  return request.kind === 'dependency' ? dependencyName(request.type) : plainKindName(request.kind)
}

/** The same of a row: how many questions or files it has is worth a word. */
export function rowKindName({ kind, severity, type, parts }: InboxRow): string {
  if (severity === 'critical') return t('Critical approval')
  if (severity === 'high') return t('Dangerous approval')
  if (type !== null) return dependencyName(type)
  if (kind === 'question' && parts > 1) return t('{count} questions', { count: parts })
  if (kind !== 'review' || parts === 0) return plainKindName(kind)
  return `${plainKindName(kind)} · ${parts === 1 ? t('1 file') : t('{count} files', { count: parts })}`
}

/** Why a run failed or was stopped, translated as far as the words are ours. */
export function reasonText(reason: string): string {
  return translateOneOf(reasons, reason) ?? reason
}

/** Why a request was withdrawn: with the reason of its run, where that ended. */
export function withdrawnText(reason: string): string {
  if (reason === 'Its run was stopped') return t('Its run was stopped')
  const [, of] = /^Its run ended and cannot come back: (.*)$/s.exec(reason) ?? []
  return of === undefined ? reason : t('Its run ended and cannot come back: {reason}', { reason: reasonText(of) })
}

export function dependencyName(type: DependencyRequest['type']): string {
  const names: Record<DependencyRequest['type'], string> = {
    api_key: t('API key'),
    env_variable: t('Environment variable'),
    service: t('Service URL'),
    file: t('File'),
    permission: t('Permission'),
    package: t('Package'),
    password: t('Password'),
  }
  return names[type]
}

export function plainKindName(kind: Kind): string {
  const names: Record<Kind, string> = {
    question: t('Question'),
    dependency: t('Dependency'),
    approval: t('Approval'),
    review: t('Review'),
  }
  return names[kind]
}

export function statusName(status: Status): string {
  const names: Record<Status, string> = {
    pending: t('Waiting'),
    answered: t('Answered'),
    defaulted: t('Default used'),
    skipped: t('Skipped'),
    declined: t('Declined'),
    expired: t('Expired'),
    cancelled: t('Cancelled'),
    orphaned: t('Run ended'),
  }
  return names[status]
}

export function runStatusName({ status, waiting }: Pick<Run, 'status' | 'waiting'>): string {
  if (waiting.length > 0 && !['paused', 'completed', 'failed', 'stopped'].includes(status)) return t('Waiting for you')
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

/** Who settled the request, and where. Nobody did if it was its deadline or the end of its run. */
export function deciderName({ run, outcome }: Request): string {
  if (!outcome) return ''
  const { by, channel, status } = outcome
  if (run !== null && by === run) return status === 'orphaned' ? '' : t('Run ended')
  return channel === 'policy' ? channelName(channel) : `${titleText(by, 60)}, ${channelName(channel)}`
}

function channelName(channel: string): string {
  const names: Record<string, string> = {
    web: t('in the browser'),
    terminal: t('in a terminal'),
    cli: t('from the command line'),
    http: t('over HTTP'),
    slack: t('in Slack'),
    telegram: t('in Telegram'),
    ntfy: t('in ntfy'),
    rule: t('by a rule'),
    policy: t('at its deadline'),
    file: t('from a file'),
  }
  // Other programs choose the names of their own channels.
  return Object.hasOwn(names, channel) ? (names[channel] ?? channel) : titleText(channel, 40)
}
