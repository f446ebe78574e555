import type { AttachmentInput } from '../protocol/attachment.ts'
import type { Json } from '../protocol/canonical-json.ts'
import type { FactsInput } from '../protocol/facts.ts'
import type { Severity } from '../protocol/severity.ts'
import type { Category, DependencyType, OnTimeout } from '../protocol/status.ts'

// What programs write. The schemas of protocol/ask.ts parse it, and a type test compares the two.

// `Paths` is `never` where there are no files to attach by their path.

/** What you ask a person: a question, a form of several, or another kind. */
export type Ask<Paths = string> =
  | QuestionAsk<Paths>
  | FormAsk<Paths>
  | DependencyAsk<Paths>
  | ApprovalAsk<Paths>
  | ReviewAsk<Paths>

/** A file to attach: its path on this machine, or a name and the bytes. */
export type AttachedFile = string | AttachmentInput

/** What every ask may say. */
export interface AskCommon<Paths = string> {
  /** What the person needs to know to decide, in Markdown. */
  context?: string | null | undefined
  /** False where you can go on without an answer: only then a person can skip it. True unless given. */
  required?: boolean | undefined
  /** How long a person has: `15m`, or milliseconds. Without it, for ever. */
  timeout?: string | number | null | undefined
  /** What happens then: the default is used, the request expires, or the person is reminded. */
  onTimeout?: OnTimeout | null | undefined
  /** Your own name for this ask: the same key again, also after a crash, is the same request with the same answer. */
  key?: string | null | undefined
  /** Pictures and other files for the person. */
  attachments?: readonly (Paths | AttachmentInput)[] | undefined
  /** Who asks, as people see it, and where. */
  agent?: AskingAgent | undefined
  /** The name of the agent's session: asks of two sessions are never the same ask. */
  session?: string | null | undefined
  /** The run of `beckon run` that asks. */
  run?: string | null | undefined
  /** Whether you hear messages of people while you wait. `ask` with `onMessage` sets it. */
  canReply?: boolean | undefined
  /** Called once when the request is settled, with its id and status, signed. Its host must be on the list of the server. */
  callbackUrl?: string | null | undefined
}

export interface AskingAgent {
  name?: string | undefined
  /** The directory that it works in. */
  cwd?: string | undefined
  /** The agents that led to this one, the first first. */
  path?: readonly string[] | undefined
  /** The git branch in that directory. */
  branch?: string | undefined
}

/** One question. */
export interface Prompt {
  question: string
  /** What the person chooses from: labels, or labels with more to say. Without options they write a text. */
  options?: readonly Option[] | undefined
  /** Whether several options may be chosen; the value is then a list. */
  multiSelect?: boolean | undefined
  /** Whether the person may write a text of their own instead of, or beside, an option. */
  allowOther?: boolean | undefined
  /** What is used when the deadline passes or the request is skipped: an answer that a person could give. */
  default?: string | number | boolean | readonly (string | number | boolean)[] | null | undefined
  /** A word or two above the question. */
  header?: string | null | undefined
  category?: Category | null | undefined
  /** The name of its answer; `q1`, `q2` and so on unless given. */
  id?: string | undefined
}

export type Option = string | DescribedOption

export interface DescribedOption {
  label: string
  description?: string | undefined
  /** Text that is shown beside the options while this one is chosen, such as code. */
  preview?: string | undefined
}

/** A single question. */
export interface QuestionAsk<Paths = string> extends AskCommon<Paths>, Prompt {
  kind?: 'question' | undefined
  questions?: undefined
}

/** Several questions that one person answers together. */
export interface FormAsk<Paths = string> extends AskCommon<Paths> {
  kind?: 'question' | undefined
  questions: readonly Prompt[]
}

/** Something you need: a key, a file, a permission. `use` opens its value once. */
export interface DependencyAsk<Paths = string> extends AskCommon<Paths> {
  kind: 'dependency'
  type: DependencyType
  /** The name of the variable, file, service or package. */
  name: string
  /** What it is for. */
  description: string
  /** The file may lie outside of the asker's directory. */
  outside?: boolean | undefined
}

/** An exact action that somebody must allow first. */
export interface ApprovalAsk<Paths = string> extends AskCommon<Paths> {
  kind: 'approval'
  action: ActionToApprove
  /** After a wait was cut off: go on with the open request for exactly this action, or with its unused yes. */
  takeUp?: boolean | undefined
  /** The agent's session and its call: two sessions never share a yes. */
  call?: { session?: string | null | undefined; id?: string | null | undefined } | null | undefined
}

/** A command and its directory, or a tool and its input. What it does and how dangerous that is, the hub judges itself. */
export interface ActionToApprove {
  command?: string | undefined
  /** The words of the command, where no shell reads it. */
  argv?: readonly string[] | undefined
  tool?: string | undefined
  input?: Json | undefined
  cwd?: string | undefined
  /** What only your machine can read: hashes of files and of the environment. */
  facts?: FactsInput | undefined
  /** Can make the hub's own judgement stricter, never milder. */
  severity?: Severity | undefined
  /** Shown as the asker's own words. */
  reasons?: readonly ReasonToApprove[] | undefined
}

export interface ReasonToApprove {
  rule: string
  message: string
  template?: string | undefined
  params?: Record<string, string> | undefined
  /** The part of the command that it is about. */
  span: readonly [from: number, to: number]
}

/** A finished piece of work that somebody looks at. */
export interface ReviewAsk<Paths = string> extends AskCommon<Paths> {
  kind: 'review'
  title: string
  phase?: number | string | null | undefined
  files?: readonly string[] | undefined
  /** What changed, as `git diff` prints it. */
  diff?: string | null | undefined
}
