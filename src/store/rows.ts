import type {
  AnswerRuleRecord,
  CallbackRecord,
  CheckpointRecord,
  DraftRecord,
  EventRecord,
  InboxEntry,
  KeptRecord,
  LogEndRecord,
  LogPieceRecord,
  MessageRecord,
  PairingCodeRecord,
  PairingRecord,
  PressRecord,
  PushKeysRecord,
  RequestRecord,
  RuleRecord,
  RunRecord,
  TargetRecord,
  TokenRecord,
} from './records.ts'
import type {
  AnswerRuleRow,
  CallbackRow,
  CheckpointRow,
  DraftRow,
  EventRow,
  KeptRow,
  LogEndRow,
  MessageRow,
  PairingCodeRow,
  PairingRow,
  PressRow,
  PushKeysRow,
  RequestRow,
  RuleRow,
  RunLogRow,
  RunRow,
  TargetRow,
  TokenRow,
} from './schema.ts'
import type { InboxCountRow, InboxDetailRow } from './statements/inbox.ts'

// Between rows and records. Sealed values have the same form in both.

export function requestToRow(record: RequestRecord): RequestRow {
  return {
    id: record.id,
    run: record.run,
    kind: record.kind,
    status: record.status,
    required: Number(record.required),
    body: JSON.stringify(record.body),
    context: record.context,
    agent: JSON.stringify(record.agent),
    agent_name: record.agent.name,
    session: record.session,
    scope: record.scope,
    key: record.key,
    content: record.content,
    asked_by: record.user,
    host: record.host,
    timeout: record.timeout,
    on_timeout: record.onTimeout,
    deadline: record.deadline,
    due: record.due,
    created_at: record.createdAt,
    settled_at: record.settledAt,
    delivered_at: record.deliveredAt,
    delivered_start: record.deliveredStart,
    used_at: record.usedAt,
    use_nonce: record.useNonce,
    outcome: record.outcome && JSON.stringify(record.outcome),
    title: record.title,
    directory: record.agent.cwd,
    danger: record.danger,
    alike: record.alike,
    same_question: record.sameQuestion,
    detail: record.detail,
    parts: record.parts,
    can_reply: Number(record.canReply),
    messages: listOrNull(record.messages),
    attachments: listOrNull(record.attachments),
    traceparent: record.traceparent,
  }
}

export function rowToRequest(row: RequestRow): RequestRecord {
  return {
    id: row.id,
    run: row.run,
    kind: row.kind as RequestRecord['kind'],
    status: row.status as RequestRecord['status'],
    required: row.required === 1,
    body: JSON.parse(row.body),
    context: row.context,
    agent: JSON.parse(row.agent),
    session: row.session,
    scope: row.scope,
    key: row.key,
    content: row.content,
    user: row.asked_by,
    host: row.host,
    timeout: row.timeout,
    onTimeout: row.on_timeout as RequestRecord['onTimeout'],
    deadline: row.deadline,
    due: row.due,
    createdAt: row.created_at,
    settledAt: row.settled_at,
    deliveredAt: row.delivered_at,
    deliveredStart: row.delivered_start,
    usedAt: row.used_at,
    useNonce: row.use_nonce,
    outcome: row.outcome === null ? null : JSON.parse(row.outcome),
    title: row.title,
    danger: row.danger,
    alike: row.alike,
    sameQuestion: row.same_question,
    detail: row.detail,
    parts: row.parts,
    canReply: row.can_reply === 1,
    messages: row.messages === null ? [] : JSON.parse(row.messages),
    attachments: row.attachments === null ? [] : JSON.parse(row.attachments),
    traceparent: row.traceparent,
  }
}

function listOrNull(list: readonly unknown[]): string | null {
  return list.length === 0 ? null : JSON.stringify(list)
}

export function rowToInboxEntry(row: InboxDetailRow): InboxEntry {
  return {
    id: row.id,
    kind: row.kind as InboxEntry['kind'],
    title: row.title,
    agent: row.agent_name,
    directory: row.directory ?? '',
    run: row.run,
    session: row.session,
    detail: row.detail,
    parts: row.parts,
    createdAt: row.created_at,
    deadline: row.deadline,
    onTimeout: row.on_timeout as InboxEntry['onTimeout'],
    alike: row.alike,
    lastMessage: row.last_message as InboxEntry['lastMessage'],
    snoozedUntil: row.until,
  }
}

export function rowToInboxCount({ what, name, waiting, urgent, snoozed }: InboxCountRow): InboxCountRow {
  return { what, name, waiting: Number(waiting), urgent: Number(urgent), snoozed: Number(snoozed) }
}

export function draftToRow({ request, answers, note, by, at }: DraftRecord): DraftRow {
  return { request, saved_by: by, draft: JSON.stringify({ answers, note }), saved_at: at, discarded: 0 }
}

export function rowToDraft({ request, draft, saved_by, saved_at }: DraftRow): DraftRecord {
  return { request, ...JSON.parse(draft), by: saved_by, at: saved_at }
}

export function runToRow(record: RunRecord): RunRow {
  return {
    id: record.id,
    name: record.name,
    status: record.status,
    command: JSON.stringify(record.command),
    cwd: record.cwd,
    host: record.host,
    started_by: record.user,
    pid: record.pid,
    session: record.session,
    exit_code: record.exitCode,
    reason: record.reason,
    resume_command: record.resumeCommand && JSON.stringify(record.resumeCommand),
    sleeps: Number(record.sleeps),
    start: record.start,
    started_at: record.startedAt,
    ended_at: record.endedAt,
    token: record.token,
  }
}

export function rowToRun(row: RunRow): RunRecord {
  return {
    id: row.id,
    name: row.name,
    status: row.status as RunRecord['status'],
    command: JSON.parse(row.command),
    cwd: row.cwd,
    host: row.host,
    user: row.started_by,
    pid: row.pid,
    session: row.session,
    exitCode: row.exit_code,
    reason: row.reason,
    resumeCommand: row.resume_command === null ? null : JSON.parse(row.resume_command),
    sleeps: row.sleeps === 1,
    start: row.start,
    startedAt: row.started_at,
    endedAt: row.ended_at,
    token: row.token,
  }
}

export function logPieceToRow({ run, start, records, bytes, ...end }: LogPieceRecord): RunLogRow {
  return {
    run,
    number: end.number,
    start_offset: start,
    end_offset: end.offset,
    end_notes: end.notes,
    total: end.total,
    closed: Number(end.closed),
    records: JSON.stringify(records),
    bytes,
  }
}

export function rowToLogPiece(row: RunLogRow): LogPieceRecord {
  const { run, start_offset: start, records, bytes } = row
  return { run, start, records: JSON.parse(records), bytes, ...rowToLogEnd(row) }
}

export function rowToLogEnd({ number, end_offset, end_notes, total, closed }: LogEndRow): LogEndRecord {
  return { number, offset: end_offset, notes: end_notes, total, closed: closed === 1 }
}

export function checkpointToRow({ id, run, start, reason, at, ...body }: CheckpointRecord): CheckpointRow {
  return { id, run, start, reason, body: JSON.stringify(body), taken_at: at }
}

export function rowToCheckpoint({ id, run, start, reason, body, taken_at }: CheckpointRow): CheckpointRecord {
  return { id, run, start, reason, ...JSON.parse(body), at: taken_at }
}

export function keptToRow({ user, by, keptAt, lastUsedAt, ...same }: KeptRecord): KeptRow {
  return { ...same, asked_by: user, kept_by: by, kept_at: keptAt, last_used_at: lastUsedAt }
}

export function rowToKept({ asked_by, kept_by, kept_at, last_used_at, ...same }: KeptRow): KeptRecord {
  const type = same.type as KeptRecord['type']
  return { ...same, type, user: asked_by, by: kept_by, keptAt: kept_at, lastUsedAt: last_used_at }
}

export function ruleToRow(record: RuleRecord): RuleRow {
  return {
    id: record.id,
    rule: JSON.stringify(record.rule),
    request: record.request,
    made_by: record.by,
    channel: record.channel,
    made_at: record.at,
    expires_at: record.expiresAt,
    removed_at: record.removedAt,
    removed_by: record.removedBy,
  }
}

export function rowToRule(row: RuleRow): RuleRecord {
  return {
    id: row.id,
    rule: JSON.parse(row.rule),
    request: row.request,
    by: row.made_by,
    channel: row.channel,
    at: row.made_at,
    expiresAt: row.expires_at,
    removedAt: row.removed_at,
    removedBy: row.removed_by,
  }
}

export function answerRuleToRow({ binding, ...rule }: AnswerRuleRecord): AnswerRuleRow {
  return { ...ruleToRow(rule), binding }
}

export function rowToAnswerRule({ binding, ...row }: AnswerRuleRow): AnswerRuleRecord {
  return { ...rowToRule(row), binding }
}

export function rowToEvent(row: EventRow): EventRecord {
  return { ...row, type: row.type as EventRecord['type'], data: JSON.parse(row.data) }
}

export function tokenToRow(record: TokenRecord): TokenRow {
  return {
    id: record.id,
    kind: record.kind,
    name: record.name,
    scope: record.scope,
    run: record.run,
    parent: record.parent,
    hash: record.hash,
    created_at: record.createdAt,
    expires_at: record.expiresAt,
    last_used_at: record.lastUsedAt,
    revoked_at: record.revokedAt,
    device: record.device,
    page: record.page,
  }
}

export function rowToToken(row: TokenRow): TokenRecord {
  return {
    id: row.id,
    kind: row.kind as TokenRecord['kind'],
    name: row.name,
    scope: row.scope as TokenRecord['scope'],
    run: row.run,
    parent: row.parent,
    hash: row.hash,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    lastUsedAt: row.last_used_at,
    revokedAt: row.revoked_at,
    device: row.device,
    page: row.page,
  }
}

export function targetToRow({ wants, by, createdAt, ...same }: TargetRecord): TargetRow {
  return { ...same, wants: JSON.stringify(wants), added_by: by, created_at: createdAt }
}

export function rowToTarget({ wants, added_by, created_at, ...same }: TargetRow): TargetRecord {
  const kind = same.kind as TargetRecord['kind']
  return { ...same, kind, wants: JSON.parse(wants), by: added_by, createdAt: created_at }
}

export function pushKeysToRow(record: PushKeysRecord): PushKeysRow {
  return { id: 'push', ...record }
}

export function rowToPushKeys({ id: _, ...row }: PushKeysRow): PushKeysRecord {
  return row
}

export function pairingToRow({ createdAt, ...same }: PairingRecord): PairingRow {
  return { ...same, created_at: createdAt }
}

export function rowToPairing({ created_at, ...same }: PairingRow): PairingRecord {
  return { ...same, createdAt: created_at }
}

export function pairingCodeToRow({ expiresAt, ...same }: PairingCodeRecord): PairingCodeRow {
  return { ...same, expires_at: expiresAt }
}

export function rowToPairingCode({ expires_at, ...same }: PairingCodeRow): PairingCodeRecord {
  return { ...same, expiresAt: expires_at }
}

export function pressToRow({ place, createdAt, doneAt, ...same }: PressRecord): PressRow {
  return { ...same, place: JSON.stringify(place), created_at: createdAt, done_at: doneAt }
}

export function rowToPress({ place, created_at, done_at, ...same }: PressRow): PressRecord {
  return { ...same, place: JSON.parse(place), createdAt: created_at, doneAt: done_at }
}

export function messageToRow({ createdAt, doneAt, ...same }: MessageRecord): MessageRow {
  return { ...same, created_at: createdAt, done_at: doneAt }
}

export function rowToMessage({ created_at, done_at, ...same }: MessageRow): MessageRecord {
  return { ...same, state: same.state as MessageRecord['state'], createdAt: created_at, doneAt: done_at }
}

export function callbackToRow({ user, ...same }: CallbackRecord): CallbackRow {
  return { ...same, asked_by: user, queued: 0 }
}

export function rowToCallback({
  request,
  mark,
  host,
  token,
  asked_by,
  bytes,
  fingerprint,
}: CallbackRow): CallbackRecord {
  return { request, mark, host, token, user: asked_by, bytes, fingerprint }
}
