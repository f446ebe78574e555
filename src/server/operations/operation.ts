import type { Scope } from '../../protocol/index.ts'

/** One call of the API, as it is told to those who write against it. A test holds it against the routes. */
export interface Operation {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: string
  name: string
  summary: string
  /** The least that it needs; null for everybody. */
  scope: Scope | null
  query?: Record<string, Record<string, unknown>>
  /** The schema of what is sent; `bytes` for a file. */
  body?: string | 'bytes'
  /** The schema of what comes back. */
  result: string | 'stream' | 'text' | 'html'
  status?: 200 | 201
  /** What else can be answered. */
  more?: Record<string, string>
}
