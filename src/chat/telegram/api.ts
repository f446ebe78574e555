import { ApiError, callApi } from '../call-api.ts'

export interface TelegramBot {
  /** Of the Bot API: https://api.telegram.org */
  url: string
  secret: string | null
}

interface CallOptions {
  signal?: AbortSignal
  timeout?: number
}

/** Calls a method of the Bot API and returns its result. The token stands in the address, so no error has the address. */
export async function callTelegram<Result>(
  { url, secret }: TelegramBot,
  method: string,
  parameters: object = {},
  options: CallOptions = {},
): Promise<Result> {
  const reply = await callApi(`${url.replace(/\/+$/, '')}/bot${secret}/${method}`, parameters, options)
  if (reply.json?.ok === true) return reply.json.result
  const seconds = reply.json?.parameters?.retry_after
  throw new ApiError(`Telegram: ${reply.json?.description ?? `HTTP ${reply.status}`}`, {
    status: reply.json?.error_code ?? reply.status,
    retryAfter: typeof seconds === 'number' ? seconds * 1_000 : reply.retryAfter,
  })
}
