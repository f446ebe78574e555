import type {
  Attachment,
  Checkpoint,
  DependencyType,
  Draft,
  Event,
  EventType,
  Kind,
  Message,
  OnTimeout,
  Outcome,
  Request,
  RunStatus,
  Scope,
  Severity,
  Status,
  TargetKind,
} from '../protocol/index.ts'

// What the store keeps, parsed from rows. Times are milliseconds by the database's clock.

export interface RequestRecord {
  id: string
  run: string | null
  kind: Kind
  status: Status
  required: boolean
  /** The fields of the kind, as in the protocol's bodySchemas. */
  body: Record<string, unknown>
  context: string | null
  agent: Request['agent']
  /** The agent's own name for its session. */
  session: string | null
  /** The key space: a run, a token, or a user in a directory. */
  scope: string
  key: string | null
  /** The fingerprint of everything that the asker declared, within its scope; the same content is the same ask. */
  content: string
  user: string
  host: string
  timeout: number | null
  onTimeout: OnTimeout
  deadline: number | null
  /** When the deadline or the next reminder fires; null when nothing is left to fire. */
  due: number | null
  createdAt: number
  settledAt: number | null
  deliveredAt: number | null
  /** The start of the run that took it last. A run that starts again gets its earlier answers again, in order. */
  deliveredStart: number | null
  usedAt: number | null
  /** Of the caller that used it: the same use again is a replay. */
  useNonce: string | null
  outcome: Outcome | null
  /** One line for lists, not longer than a list shows; null for requests from before it was stored. */
  title: string | null
  /** How dangerous the hub found an approval: 4 critical, 3 high, 0 everything that is not urgent by itself. */
  danger: number
  /** The same for requests of one agent that a person may answer together. */
  alike: string | null
  /** The same for the same question in the same project, whoever asks. */
  sameQuestion: string | null
  /** How severe an approval is, or the type of a dependency. */
  detail: string | null
  /** How many questions it asks, or how many files a review has; null for requests from before it was stored. */
  parts: number | null
  /** Whether the asker's door can be asked back. */
  canReply: boolean
  messages: StoredMessage[]
  attachments: Attachment[]
  /** The trace that it was asked in; null where nobody traced. */
  traceparent: string | null
}

/** What lists show of a pending request. */
export interface InboxEntry
  extends Pick<
    RequestRecord,
    'id' | 'kind' | 'title' | 'run' | 'session' | 'detail' | 'parts' | 'createdAt' | 'deadline' | 'onTimeout' | 'alike'
  > {
  agent: string
  directory: string
  lastMessage: Message['from'] | null
  /** Of the person who reads the list. */
  snoozedUntil: number | null
}

/** The bytes of a file that came with a request. */
export interface AttachmentRecord {
  id: string
  request: string
  bytes: Uint8Array
}

/** A message on a request; `heardAt` is when the asker took it, or wrote it itself. */
export type StoredMessage = Message & { heardAt: string | null }

export interface DraftRecord {
  request: string
  answers: Draft['answers']
  note: string | null
  by: string
  at: number
}

export interface RunRecord {
  id: string
  name: string
  status: RunStatus
  command: string[]
  cwd: string
  host: string
  user: string
  pid: number | null
  session: string | null
  exitCode: number | null
  /** Why it failed or was stopped. */
  reason: string | null
  resumeCommand: string[] | null
  sleeps: boolean
  /** How many times it was started. */
  start: number
  startedAt: number
  endedAt: number | null
  /** The token that it was started with over HTTP; null for a run of this machine. */
  token: string | null
}

/** Where a log ends: after this many bytes of output, and this many of the notes that stand there. */
export interface LogEndRecord {
  /** The number of the last piece, from 1. */
  number: number
  offset: number
  notes: number
  /** How many bytes were ever appended. */
  total: number
  /** The writer said that nothing more will come. */
  closed: boolean
}

/** Consecutive records of a log; `bytes` is their content. */
export interface LogPieceRecord extends LogEndRecord {
  run: string
  /** The offset where it begins. */
  start: number
  records: LogRecordHead[]
  bytes: Buffer
}

export interface LogRecordHead {
  stream: 'out' | 'err' | 'note' | 'gap'
  at: number
  offset: number
  /** How many bytes it has or, for a gap, how many are missing. */
  length: number
}

export type CheckpointRecord = Omit<Checkpoint, 'at'> & { at: number }

export interface SealedRecord {
  request: string
  run: string | null
  bytes: Buffer
  mac: Buffer
  fingerprint: string
  /** The id of the kept value that it came from; null where a person gave it. */
  kept: string | null
}

/** A value that a person keeps: a rule that answers later asks. */
export interface KeptRecord {
  id: string
  name: string
  type: DependencyType
  dependency: string
  /** Null for everywhere. */
  directory: string | null
  host: string | null
  /** The name of the user or token whose asks it answers. */
  user: string
  /** The token that starts the runs it answers; null for a user of this machine, for whom alone the name counts. */
  token: string | null
  by: string
  keptAt: number
  lastUsedAt: number | null
  bytes: Buffer
  fingerprint: string
}

/** What authenticates over HTTP: a token, a browser's session, or a link that works for one sign-in. Only a hash is stored. */
export interface TokenRecord {
  id: string
  kind: 'token' | 'session' | 'link'
  name: string
  scope: Scope
  run: string | null
  /** What it ends with: for a session its token, for a link the token or session that made it, for an agent's token its supervisor's. */
  parent: string | null
  hash: string
  createdAt: number
  expiresAt: number | null
  lastUsedAt: number | null
  /** Revoked, signed out, or spent. */
  revokedAt: number | null
  /** For a session: which browser it is. */
  device: string | null
  /** For a session: the hash of the secret that its page has beside the cookie. */
  page: string | null
}

/** Where people get messages about requests. Its address, secret and browser keys are in the sealed bytes. */
export interface TargetRecord {
  id: string
  kind: TargetKind
  name: string
  /** The part of the address that everybody may see. */
  shown: string
  /** The hash of a browser's address: a browser is one target, however often it subscribes. */
  mark: string | null
  wants: TargetWants
  by: string
  /** The session or token that a browser subscribed with; the target ends with it. */
  token: string | null
  createdAt: number
  bytes: Buffer
  fingerprint: string
}

export interface TargetWants {
  kinds: Kind[] | null
  minSeverity: Severity | null
  /** Events that a program chose by type; it is sent these, instead of what people are sent. */
  events?: string[]
  /** Only what is dangerous or due soon. */
  urgentOnly?: boolean
  /** Milliseconds that a request waits before the target hears of it. */
  after?: number
  /** Folders, or names of folders, that a request must be asked in. */
  projects?: string[]
  /** Hours in which messages wait; by the clock of `timeZone`. */
  quiet?: { from: string; to: string; exceptUrgent?: boolean }
  /** Of the person who reads the messages. */
  timeZone?: string
  /** A browser whose notifications may have the options of a simple question as buttons. */
  quickAnswers?: boolean
}

/** An address that an asker gave, to be called at when its request is settled. */
export interface CallbackRecord {
  request: string
  /** The hash of the address. */
  mark: string
  /** Host and port, as in the URL. */
  host: string
  /** The token that asked; null for a user of this machine. */
  token: string | null
  user: string
  bytes: Buffer
  fingerprint: string
}

/** The keys that sign push messages; all nodes share them. */
export interface PushKeysRecord {
  public: string
  bytes: Buffer
  fingerprint: string
}

/**
 * A message to a target about a request or a failed run: `waiting` until the target has accepted it, `cancelled` when the request was
 * settled before, `given_up` when the target accepted nothing for a day. While it is being sent, `due` is the end of the lease.
 */
export interface MessageRecord {
  id: string
  /** The id of the request or the run. */
  subject: string
  target: string
  /** `created` or `settled`; or `reminded` or `failed` and the number of its event. */
  occasion: string
  /** When the event happened. */
  at: number
  state: 'waiting' | 'sent' | 'given_up' | 'cancelled'
  tries: number
  due: number
  /** When it was first due. */
  createdAt: number
  doneAt: number | null
  /** Why the last attempt failed; null while an attempt is under way. */
  error: string | null
  /** What the target calls the message that it accepted, to change it later. */
  handle: string | null
}

/** An account of a chat that answers as a person. */
export interface PairingRecord {
  id: string
  target: string
  /** Targets with the same credentials are one bot: a pairing with one of them counts for all. */
  bot: string
  /** The account as the chat's own id of it. For ntfy, `*`: everybody who can read the topic. */
  account: string
  /** What the account calls itself. */
  label: string
  /** Where the bot can write to this account. */
  chat: string
  person: string
  /** The token or session that it was paired with; the pairing ends with it. */
  token: string | null
  createdAt: number
}

/** A secret that a person sends to a bot, once, to pair the account that they send it from. */
export interface PairingCodeRecord {
  hash: string
  target: string
  person: string
  token: string | null
  expiresAt: number
  /** The pairing that was made with it. */
  pairing: string | null
}

/** A button that somebody pressed. It is stored before the chat hears that it arrived. While it is dealt with, `due` is the end of the lease. */
export interface PressRecord {
  /** The same for the same press, however often the chat sends it. */
  id: string
  target: string
  account: string
  button: string
  /** Where the press came from, to reply there. */
  place: Record<string, string>
  due: number
  createdAt: number
  doneAt: number | null
  result: string | null
}

/** The one process that listens to a bot. */
export interface ListenerRecord {
  bot: string
  holder: string
  until: number
}

/** The rule itself is one document; who made it and when are fields of their own. */
export interface RuleRecord {
  id: string
  rule: Record<string, unknown>
  request: string | null
  by: string
  channel: string
  at: number
  expiresAt: number | null
  removedAt: number | null
  removedBy: string | null
}

/** A rule that answers asks with this binding: the hash of everything that the ask must have in common with the first. */
export interface AnswerRuleRecord extends RuleRecord {
  binding: string
}

export interface NewEvent {
  type: EventType
  request: string | null
  run: string | null
  data: Record<string, unknown>
}

export type EventRecord = Omit<Event, 'at'> & { at: number }
