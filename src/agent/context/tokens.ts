import type { ModelMessage } from 'ai'
import type { Usage } from '../journal/entries.ts'
import type { History } from '../journal/history.ts'

// Korean, Chinese and Japanese take about a token per character, other scripts than Latin a token for two, and everything
// else about four characters per token.
const wide = /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\uff00-\uffef]/gu
const beyondLatin = /[\u0370-\u1fff\ud800-\udfff]/g
const perMessage = 8

export function estimateTokens(text: string): number {
  const narrow = text.replace(wide, '')
  const latin = narrow.replace(beyondLatin, '')
  return text.length - narrow.length + Math.ceil((narrow.length - latin.length) / 2 + latin.length / 4)
}

const known = new WeakMap<object, number>()

/** Messages do not change, so each is counted once. */
export function tokensOfMessage(message: ModelMessage): number {
  const counted = known.get(message)
  if (counted !== undefined) return counted
  const { content } = message
  const tokens = perMessage + (typeof content === 'string' ? estimateTokens(content) : tokensOfParts(content))
  known.set(message, tokens)
  return tokens
}

// About what the providers count for a large one.
const perImage = 1_600

function tokensOfParts(parts: readonly { type: string }[]): number {
  const images = parts.filter(({ type }) => type === 'file')
  const others = images.length === 0 ? parts : parts.filter(({ type }) => type !== 'file')
  return images.length * perImage + estimateTokens(JSON.stringify(others))
}

/** The size of the next request: what the provider counted for the last one, and an estimate of what came since. */
export function contextTokens(history: History, fixed: number): { tokens: number; counted: boolean } {
  const messages = history.entries().map(({ message }) => message)
  const before = messages.slice(0, history.countedMessages)
  const rest = sum(messages.slice(history.countedMessages))
  const summary = history.summary === null ? 0 : estimateTokens(history.summary)
  const counted = tokensCounted(history.lastUsage, before, fixed + summary)
  if (counted !== null) return { tokens: counted + rest, counted: true }
  return { tokens: fixed + summary + sum(before) + rest, counted: false }
}

// Our estimate is not four times too high. Some servers count nothing, send zeros, or leave out what they have in a cache.
const leastShare = 1 / 4

/** What the provider counted for these messages, the last of which is its reply; null if it did not count them. */
function tokensCounted(usage: Usage | null, messages: readonly ModelMessage[], others: number): number | null {
  if (!usage) return null
  const read = usage.input + usage.cacheRead + usage.cacheWrite
  const reply = messages.slice(-1)
  if (read < (others + sum(messages) - sum(reply)) * leastShare) return null
  return read + Math.max(usage.output, sum(reply))
}

function sum(messages: readonly ModelMessage[]): number {
  return messages.reduce((total, message) => total + tokensOfMessage(message), 0)
}
