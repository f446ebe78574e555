import { readRetryAfter, readStart } from '../notify/read-reply.ts'

/** What an API of a chat replied. `retryAfter` in milliseconds, where it asked for a pause. */
export interface ApiReply {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: the API of another company, checked where it is read
  json: any
  retryAfter: number | null
}

/** An API refused a call, or could not be reached. The message has neither the address nor a token. */
export class ApiError extends Error {
  readonly status: number
  readonly retryAfter: number | null
  constructor(
    message: string,
    { status = 0, retryAfter = null }: Partial<Pick<ApiReply, 'status' | 'retryAfter'>> = {},
  ) {
    super(message)
    this.name = 'ApiError'
    this.status = status
    this.retryAfter = retryAfter
  }
}

interface CallOptions {
  headers?: Record<string, string>
  signal?: AbortSignal
  /** Milliseconds. */
  timeout?: number
}

// A hundred updates of Telegram, each with the longest message.
const longestReply = 4_000_000

/** POSTs JSON. Does not follow redirects: a person chose this address and no other. */
export async function callApi(url: string, body: object, options: CallOptions = {}): Promise<ApiReply> {
  const { headers = {}, signal, timeout = 10_000 } = options
  const late = AbortSignal.timeout(timeout)
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'user-agent': 'Beckon', 'content-type': 'application/json; charset=utf-8', ...headers },
      body: JSON.stringify(body),
      redirect: 'manual',
      signal: signal ? AbortSignal.any([signal, late]) : late,
    })
    const text = await readStart(response, longestReply)
    late.throwIfAborted()
    const retryAfter = readRetryAfter(response.headers.get('retry-after'))
    return { status: response.status, json: parse(text), retryAfter }
  } catch (error) {
    signal?.throwIfAborted()
    if (late.aborted) throw new ApiError(`no reply within ${timeout / 1_000} seconds`)
    const { cause } = error as Error
    throw new ApiError(
      `cannot be reached (${cause instanceof Error && 'code' in cause ? cause.code : 'no connection'})`,
    )
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
