import { timingSafeEqual } from 'node:crypto'
import type { ChatStore } from '../hub/chat.ts'

// What a button carries: the request, the number of the option, and a signature over both and the bot. It comes back from
// outside, where anybody may have changed it. The options of a request never change. Telegram takes 64 bytes.

interface Choice {
  request: string
  option: number
}

type Sign = ChatStore['sign']

const signatureBytes = 16
const prefix = 'req_'

export async function makeButton(bot: string, { request, option }: Choice, sign: Sign): Promise<string> {
  const signature = (await signatureOf(bot, { request, option }, sign)).toString('base64url')
  return `${request.slice(prefix.length)}.${option}.${signature}`
}

/** Null for what is not a button that this bot has made. */
export async function readButton(bot: string, text: string, sign: Sign): Promise<Choice | null> {
  const [, id, number, signature] = /^(\w{10,40})\.(\d{1,2})\.([\w-]{22})$/.exec(text) ?? []
  if (id === undefined || number === undefined || signature === undefined) return null
  const choice = { request: `${prefix}${id}`, option: Number(number) }
  const given = Buffer.from(signature, 'base64url')
  const expected = await signatureOf(bot, choice, sign)
  return given.length === expected.length && timingSafeEqual(given, expected) ? choice : null
}

async function signatureOf(bot: string, { request, option }: Choice, sign: Sign): Promise<Buffer> {
  return (await sign(JSON.stringify([bot, request, option]))).subarray(0, signatureBytes)
}
