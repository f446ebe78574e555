import type { Checkpoint, Draft, Event, Kept, Request, Rule, Run, Target } from '../protocol/index.ts'
import { titleOf } from '../rules/title.ts'
import type {
  CheckpointRecord,
  DraftRecord,
  EventRecord,
  KeptRecord,
  RequestRecord,
  RuleRecord,
  RunRecord,
  TargetRecord,
} from '../store/records.ts'

// From stored records to what the protocol shows.

export function toRequest(record: RequestRecord): Request {
  return {
    id: record.id,
    run: record.run,
    kind: record.kind,
    status: record.status,
    required: record.required,
    ...record.body,
    ...(record.kind === 'review' ? reviewFields(record) : {}),
    context: record.context,
    agent: record.agent,
    place: { user: record.user, host: record.host || null },
    session: record.session,
    deadline: isoOrNull(record.deadline),
    onTimeout: record.onTimeout,
    ...(wasReminded(record) ? { remindAt: isoOrNull(record.due) } : {}),
    key: record.key,
    createdAt: iso(record.createdAt),
    settledAt: isoOrNull(record.settledAt),
    deliveredAt: isoOrNull(record.deliveredAt),
    usedAt: isoOrNull(record.usedAt),
    outcome: record.outcome,
    messages: record.messages.map(({ heardAt: _, ...message }) => message),
    canReply: record.canReply,
    attachments: record.attachments,
    ...(record.traceparent === null ? {} : { traceparent: record.traceparent }),
  } as Request
}

function reviewFields({ body, outcome }: RequestRecord) {
  return { diff: body.diff ?? null, feedback: outcome?.answers[0]?.text ?? null }
}

/** The first firing of a deadline with reminders moves `due` behind it. */
function wasReminded({ status, onTimeout, deadline, due }: RequestRecord): boolean {
  return status === 'pending' && onTimeout === 'remind' && deadline !== null && (due === null || due > deadline)
}

export function toDraft({ answers, note, by, at }: DraftRecord): Draft {
  return { answers, note, by, at: iso(at) }
}

export function toKept(record: KeptRecord): Kept {
  const { name, type, dependency, directory, host, user, token, by, keptAt, lastUsedAt } = record
  return {
    name,
    type,
    dependency,
    directory,
    host,
    user,
    token,
    by,
    keptAt: iso(keptAt),
    lastUsedAt: isoOrNull(lastUsedAt),
  }
}

export function toEvent(record: EventRecord): Event {
  const { id, type, at, request, run, data } = record
  return { id, type, at: iso(at), request, run, data }
}

export function toRun(record: RunRecord, open: readonly RequestRecord[]): Run {
  const oldest = open[0]
  return {
    id: record.id,
    name: record.name,
    status: record.status,
    waiting: [...new Set(open.map(request => `waiting_${request.kind}` as const))],
    blockedReason: oldest ? titleOf(toRequest(oldest)) : null,
    blockedAt: oldest ? iso(oldest.createdAt) : null,
    command: record.command,
    cwd: record.cwd,
    host: record.host,
    pid: record.pid,
    session: record.session,
    exitCode: record.exitCode,
    reason: record.reason,
    startedAt: iso(record.startedAt),
    endedAt: isoOrNull(record.endedAt),
  }
}

export function toCheckpoint({ id, run, start, at, ...rest }: CheckpointRecord): Checkpoint {
  return { id, run, start, at: iso(at), ...rest }
}

export function toRule(record: RuleRecord): Rule {
  const { rule, id, request, by, channel, at, expiresAt, removedAt, removedBy } = record
  return {
    ...rule,
    id,
    request,
    by,
    channel,
    removedBy,
    at: iso(at),
    expiresAt: isoOrNull(expiresAt),
    removedAt: isoOrNull(removedAt),
  } as Rule
}

export function toTarget({ name, kind, shown, wants, by, createdAt }: TargetRecord): Target {
  return { name, kind, address: shown, ...wants, by, createdAt: iso(createdAt) }
}

function iso(time: number): string {
  return new Date(time).toISOString()
}

function isoOrNull(time: number | null): string | null {
  return time === null ? null : iso(time)
}
