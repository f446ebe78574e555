import { expect, it } from 'vitest'
import { isSignedBySlack } from '../../src/chat/slack/signature.ts'

// The example of https://docs.slack.dev/authentication/verifying-requests-from-slack
const secret = '8f742231b10e8888abcd99yyyzzz85a5'
const body = Buffer.from(
  'token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c',
)
const timestamp = '1531420618'
const signature = 'v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503'
const now = 1_531_420_618_000
const minutes = 60_000
const good = { body, timestamp, signature, now }

it("accepts Slack's own example, for five minutes", () => {
  expect(isSignedBySlack(secret, good)).toBe(true)
  expect(isSignedBySlack(secret, { ...good, now: now + 5 * minutes })).toBe(true)
})

it.each([
  ['later', { now: now + 5 * minutes + 1 }],
  ['from the future', { now: now - 6 * minutes }],
  ['with another body', { body: Buffer.concat([body, Buffer.from('&')]) }],
  ['with another time', { timestamp: '1531420619' }],
  ['with a time that is no number', { timestamp: 'NaN' }],
  ['without a time', { timestamp: undefined }],
  ['without a signature', { signature: undefined }],
  ['with a short signature', { signature: 'v0=a2114d57' }],
  ['with a signature of another version', { signature: signature.replace('v0', 'v1') }],
])('refuses it %s', (_, change) => {
  expect(isSignedBySlack(secret, { ...good, ...change })).toBe(false)
})

it('refuses it with another secret', () => {
  expect(isSignedBySlack(`${secret.slice(1)}0`, good)).toBe(false)
})
