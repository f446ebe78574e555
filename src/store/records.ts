import type {
  Checkpoint,
  DependencyType,
  Draft,
  Event,
  EventType,
  Kind,
  OnTimeout,
  Outcome,
  Request,
  RunStatus,
  Scope,
  Severity,
  Status,
  TargetKind,
} from '../protocol/index.ts'

// What the store keeps, past the parsing of rows: times are milliseconds by the database's clock.

export interface RequestRecord {
  id: string
  run: string | null
  kind: Kind
  status: Status
  required: boolean
  /** What is particular to the kind, as in the protocol's bodySchemas. */
  body: Record<string, unknown>
  context: string | null
  agent: Request['agent']
  /** Whose key space this is: a run's, a token's, or a user's in a directory. */
  scope: string
  key: string | null
  /** Fingerprint of everything the asker declared, within its scope; the same content is the same ask. */
  content: string
  user: string
  host: string
  timeout: number | null
  onTimeout: OnTimeout
  deadline: number | null
  /** When the deadline or the next reminder fires; null once there is nothing left to fire. */
  due: number | null
  createdAt: number
  settledAt: number | null
  deliveredAt: number | null
  /** The start of the run that took it last: a run that starts again gets its earlier answers again, in order. */
  deliveredStart: number | null
  usedAt: number | null
  outcome: Outcome | null
}

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
  resumeCommand: string[] | null
  sleeps: boolean
  /** How often it was started. */
  start: number
  startedAt: number
  endedAt: number | null
  /** The token that it was started with, over HTTP; null for one of this machine. */
  token: string | null
}

/** Where a log ends: behind so many bytes of output, and so many notes that stand there. */
export interface LogEndRecord {
  /** Of the last piece, counted from 1. */
  number: number
  offset: number
  notes: number
  /** Bytes that were ever put into it. */
  total: number
  /** Nothing more will come, said its writer. */
  closed: boolean
}

/** Some records of a log, one after the other. What they say is in `bytes`. */
export interface LogPieceRecord extends LogEndRecord {
  run: string
  /** The offset that it begins at. */
  start: number
  records: LogRecordHead[]
  bytes: Buffer
}

export interface LogRecordHead {
  stream: 'out' | 'err' | 'note' | 'gap'
  at: number
  offset: number
  /** How many bytes it has; of a gap, how many are missing. */
  length: number
}

export type CheckpointRecord = Omit<Checkpoint, 'at'> & { at: number }

export interface SealedRecord {
  request: string
  run: string | null
  bytes: Buffer
  mac: Buffer
  fingerprint: string
  /** The rule that it was given by; null where a person gave it. */
  kept: string | null
}

/** A value that a person keeps for later asks: a rule that answers them. */
export interface KeptRecord {
  id: string
  name: string
  type: DependencyType
  dependency: string
  /** Null for everywhere. */
  directory: string | null
  host: string | null
  /** Whose asks it answers. */
  user: string
  by: string
  keptAt: number
  lastUsedAt: number | null
  bytes: Buffer
  fingerprint: string
}

/**
 * Whatever opens the hub over HTTP: a token, the session of a browser, or a link that is good for one sign-in. Of its
 * secret only the hash is kept.
 */
export interface TokenRecord {
  id: string
  kind: 'token' | 'session' | 'link'
  name: string
  scope: Scope
  run: string | null
  /** The token that this session was opened with; it ends with it. */
  parent: string | null
  hash: string
  createdAt: number
  expiresAt: number | null
  lastUsedAt: number | null
  /** Revoked, signed out, or spent. */
  revokedAt: number | null
  /** Of a session: which browser it is. */
  device: string | null
  /** And the hash of what its page has beside the cookie. */
  page: string | null
}

/** Where people are told that something waits. Its address, its secret, a browser's keys are in the sealed bytes. */
export interface TargetRecord {
  id: string
  kind: TargetKind
  name: string
  /** As much of the address as everybody may see. */
  shown: string
  /** A hash of a browser's address: the same browser is one target. */
  mark: string | null
  wants: { kinds: Kind[] | null; minSeverity: Severity | null }
  by: string
  /** The session or token that a browser subscribed with: it ends with it. */
  token: string | null
  createdAt: number
  bytes: Buffer
  fingerprint: string
}

/** What our push messages are signed with; the same for every node. */
export interface PushKeysRecord {
  public: string
  bytes: Buffer
  fingerprint: string
}

/**
 * A message to a target about a request. `waiting` until the target took it; `cancelled` when the request was settled
 * before, `given_up` when the target took nothing for a day. While somebody sends it, `due` is when their time is up.
 */
export interface MessageRecord {
  id: string
  request: string
  target: string
  /** `created`, or `reminded` with the number of its event. */
  occasion: string
  /** When that was. */
  at: number
  state: 'waiting' | 'sent' | 'given_up' | 'cancelled'
  tries: number
  due: number
  createdAt: number
  doneAt: number | null
  error: string | null
}

/** What is particular to the rule is one document; who made it and when stands beside it. */
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

export interface NewEvent {
  type: EventType
  request: string | null
  run: string | null
  data: Record<string, unknown>
}

export type EventRecord = Omit<Event, 'at'> & { at: number }
