import { createHmac, timingSafeEqual } from 'node:crypto'

// https://api.slack.com/authentication/verifying-requests-from-slack

interface SignedCall {
  body: Buffer
  /** X-Slack-Request-Timestamp */
  timestamp: string | undefined
  /** X-Slack-Signature */
  signature: string | undefined
  now: number
}

// Milliseconds. An older call may be a captured one that is sent again.
const longestAge = 5 * 60_000

export function isSignedBySlack(secret: string, { body, timestamp, signature, now }: SignedCall): boolean {
  if (!/^\d{1,12}$/.test(timestamp ?? '') || Math.abs(now - Number(timestamp) * 1_000) > longestAge) return false
  const expected = createHmac('sha256', secret).update(`v0:${timestamp}:`).update(body).digest()
  const [, given] = /^v0=([0-9a-f]{64})$/.exec(signature ?? '') ?? []
  return given !== undefined && timingSafeEqual(expected, Buffer.from(given, 'hex'))
}
