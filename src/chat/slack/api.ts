import { ApiError, callApi } from '../call-api.ts'

/** Calls a method of Slack's Web API with a token. Slack refuses most things with HTTP 200 and `ok: false`. */
export async function callSlack(
  url: string,
  token: string | null,
  method: string,
  parameters: object = {},
  signal?: AbortSignal,
  // biome-ignore lint/suspicious/noExplicitAny: what each method returns is read by its caller
): Promise<any> {
  const reply = await callApi(`${url.replace(/\/+$/, '')}/${method}`, parameters, {
    headers: { authorization: `Bearer ${token}` },
    ...(signal ? { signal } : {}),
  })
  if (reply.json?.ok === true) return reply.json
  const finding = typeof reply.json?.error === 'string' ? reply.json.error : `HTTP ${reply.status}`
  throw new ApiError(`Slack: ${finding}`, { status: reply.status, retryAfter: reply.retryAfter })
}
