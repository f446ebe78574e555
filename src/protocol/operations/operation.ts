import type { Scope } from '../token.ts'
import type { BodyName, QueryName, ResultName } from './schemas.ts'

/**
 * Whose things an operation reaches. People (`answer`, `admin`) reach everything; the rule is for the scopes `ask` and
 * `run`, to which the things of others do not exist.
 *
 * - `any`: the operation concerns nobody in particular.
 * - `own-request`: the first argument is a request that the caller asked.
 * - `own-run`: the first argument is a run that the caller started, or that its token is bound to.
 * - `token`: what the operation does or shows depends on the calling token; hub/permissions has a function for it.
 * - `session`: it concerns the browsers in which the calling person is signed in.
 */
type Owner = 'any' | 'own-request' | 'own-run' | 'session' | 'token'

type ResultForm = 'json' | 'bytes' | 'long-poll' | 'stream' | 'html' | 'text'

export interface Operation {
  /** The verb as it stands on the hub: `answer`, `runs.pause`. */
  name: string
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: string
  /** One line of documentation. */
  summary: string
  /** The least scope that may call it; null for everybody, without a token. */
  scope: Scope | null
  owner: Owner
  /** The schema of the document that is sent; `bytes` for a file. */
  body?: string
  /** Fields of the body that the verb takes as arguments of their own, in this order. */
  bodyArguments?: readonly string[]
  /** The verb takes one document: the body, with the path's parameters as fields of it. */
  pathInBody?: true
  query?: string
  /** JSON unless another form is given. A `long-poll` and a page of a `stream` are JSON too. */
  form?: ResultForm
  /** The schema of the JSON that is sent back. */
  result?: string
  /** The verb's value is this field of the JSON. */
  resultField?: string
  /** The verb returns a Settlement; over HTTP that is the request, or 409 or 410 where somebody else was first. */
  settles?: true
  /** The status of success; 200 unless given. */
  status?: 201
  /** What other statuses mean here. */
  statuses?: Record<number, string>
  /** Whether doing it twice does it once, so that a client may send it again when no reply came. */
  repeatable: boolean
  /** The server has a handler for it by name; it does not simply call the verb of the hub. */
  handler?: true
  /** Not a verb of the hub: only a server has it. */
  serverOnly?: true
  /** Its answer may be compressed, because it never has a secret beside text of an agent: see server/compress.ts. */
  compressible?: true
  /** A signed-in browser may open it by its address alone: it shows nothing that belongs to anybody. */
  opensInBrowser?: true
}

/** An entry of the table: its name is its key, and its schemas exist. */
export interface Entry extends Omit<Operation, 'name'> {
  body?: BodyName | 'bytes'
  query?: QueryName
  result?: ResultName
}
