// The tables as Kysely sees them, the same in both databases. Booleans are 0 and 1, times are milliseconds, documents are
// JSON texts.

export interface RequestRow {
  id: string
  run: string | null
  kind: string
  status: string
  required: number
  body: string
  context: string | null
  agent: string
  agent_name: string
  session: string | null
  scope: string
  key: string | null
  content: string
  asked_by: string
  host: string
  timeout: number | null
  on_timeout: string
  deadline: number | null
  due: number | null
  created_at: number
  settled_at: number | null
  delivered_at: number | null
  delivered_start: number | null
  used_at: number | null
  use_nonce: string | null
  outcome: string | null
  /** One line for lists; null for requests from before it was stored. */
  title: string | null
  directory: string | null
  /** How dangerous the hub found an approval: 4 critical, 3 high, 0 everything that is not urgent by itself. */
  danger: number
  /** The same for requests of one agent that a person may answer together. */
  alike: string | null
  /** The same for the same question in the same project, whoever asks. */
  same_question: string | null
  /** How severe an approval is, or the type of a dependency. */
  detail: string | null
  /** How many questions it asks, or how many files a review has. */
  parts: number | null
  can_reply: number
  messages: string | null
  /** What came with the request: names, types, sizes and hashes. The bytes are rows of their own. */
  attachments: string | null
  /** The trace that it was asked in, as W3C Trace Context writes it. */
  traceparent: string | null
}

export interface SnoozeRow {
  request: string
  person: string
  until: number
}

export interface AttachmentRow {
  id: string
  request: string
  bytes: Buffer
}

export interface DraftRow {
  request: string
  saved_by: string
  draft: string
  saved_at: number
  /** 1 when somebody else does not want it offered any more. Its author still has it. */
  discarded: number
}

export interface EventRow {
  id: number
  type: string
  at: number
  request: string | null
  run: string | null
  data: string
}

export interface RunRow {
  id: string
  name: string
  status: string
  command: string
  cwd: string
  host: string
  started_by: string
  pid: number | null
  session: string | null
  exit_code: number | null
  reason: string | null
  resume_command: string | null
  sleeps: number
  start: number
  started_at: number
  ended_at: number | null
  /** The token that it was started with over HTTP. */
  token: string | null
}

export interface LogEndRow {
  number: number
  end_offset: number
  end_notes: number
  /** Bytes of this piece and of all before it. */
  total: number
  closed: number
}

export interface RunLogRow extends LogEndRow {
  run: string
  start_offset: number
  records: string
  bytes: Buffer
}

export interface CheckpointRow {
  id: string
  run: string
  start: number
  reason: string
  body: string
  taken_at: number
}

export interface SealedRow {
  request: string
  run: string | null
  bytes: Buffer
  mac: Buffer
  fingerprint: string
  kept: string | null
}

export interface KeptRow {
  id: string
  name: string
  type: string
  dependency: string
  directory: string | null
  host: string | null
  asked_by: string
  /** The token whose runs get it; null for a user of this machine. */
  token: string | null
  kept_by: string
  kept_at: number
  last_used_at: number | null
  bytes: Buffer
  fingerprint: string
}

export interface TokenRow {
  id: string
  kind: string
  name: string
  scope: string
  run: string | null
  parent: string | null
  hash: string
  created_at: number
  expires_at: number | null
  last_used_at: number | null
  revoked_at: number | null
  device: string | null
  page: string | null
}

export interface TargetRow {
  id: string
  kind: string
  name: string
  shown: string
  /** The hash of a browser's address; null for other targets. */
  mark: string | null
  wants: string
  added_by: string
  token: string | null
  created_at: number
  bytes: Buffer
  fingerprint: string
}

export interface PushKeysRow {
  id: string
  public: string
  bytes: Buffer
  fingerprint: string
}

export interface MessageRow {
  id: string
  subject: string
  target: string
  occasion: string
  at: number
  state: string
  tries: number
  due: number
  created_at: number
  done_at: number | null
  error: string | null
  handle: string | null
}

export interface PairingRow {
  id: string
  target: string
  bot: string
  account: string
  label: string
  chat: string
  person: string
  token: string | null
  created_at: number
}

export interface PairingCodeRow {
  hash: string
  target: string
  person: string
  token: string | null
  expires_at: number
  pairing: string | null
}

export interface PressRow {
  id: string
  target: string
  account: string
  button: string
  place: string
  due: number
  created_at: number
  done_at: number | null
  result: string | null
}

export interface ListenerRow {
  bot: string
  holder: string
  until: number
}

export interface CallbackRow {
  request: string
  /** The hash of the address: the same address is called once. */
  mark: string
  host: string
  token: string | null
  asked_by: string
  /** The sealed address. */
  bytes: Buffer
  fingerprint: string
  /** 1 once the message to it is in the outbox. */
  queued: number
}

export interface RuleRow {
  id: string
  rule: string
  request: string | null
  made_by: string
  channel: string
  made_at: number
  expires_at: number | null
  removed_at: number | null
  removed_by: string | null
}

export interface AnswerRuleRow extends RuleRow {
  binding: string
}

/** A run of consecutive requests, in blocks of a few each. */
export interface SearchSegmentRow {
  /** Higher for later ids. */
  segment: number
  /** Searches read ready ones only. One that is being built, or was not built to the end, has no requests yet. */
  state: 'building' | 'ready' | 'deleted'
  /** The first id. It ends where the next one begins. */
  first: string
  /** JSON: the first id of each block. */
  starts: string
}

/** In which blocks of a segment which grams occur: see src/store/search/grams.ts. */
export interface SearchGramRow {
  segment: number
  bucket: number
  /** A character for each gram. */
  slots: string
  /** Eight bytes for each gram, in the same order: a bit for each block. */
  masks: Buffer
}

export interface Tables {
  requests: RequestRow
  drafts: DraftRow
  snoozes: SnoozeRow
  attachments: AttachmentRow
  events: EventRow
  /** One row: the number of the last event. A transaction takes it last, so that number order is commit order. */
  event_counter: { last: number }
  runs: RunRow
  run_logs: RunLogRow
  checkpoints: CheckpointRow
  sealed: SealedRow
  kept: KeptRow
  tokens: TokenRow
  targets: TargetRow
  push_keys: PushKeysRow
  outbox: MessageRow
  pairings: PairingRow
  pairing_codes: PairingCodeRow
  presses: PressRow
  listeners: ListenerRow
  callbacks: CallbackRow
  rules: RuleRow
  answer_rules: AnswerRuleRow
  search_segments: SearchSegmentRow
  search_grams: SearchGramRow
  /** What happened so far, by name: see src/hub/statistics. */
  counts: { name: string; value: number }
  meta: { name: string; value: string }
}
