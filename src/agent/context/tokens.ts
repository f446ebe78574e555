import type { ModelMessage } from 'ai'
import type { History } from '../journal/history.ts'

// Korean, Chinese and Japanese take about a token per character, everything else about four characters per token.
const wide = /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\uff00-\uffef]/gu
const charactersPerToken = 4
const perMessage = 8

export function estimateTokens(text: string): number {
  const wideCount = text.match(wide)?.length ?? 0
  return wideCount + Math.ceil((text.length - wideCount) / charactersPerToken)
}

const known = new WeakMap<object, number>()

/** Messages do not change, so each is counted once. */
export function tokensOfMessage(message: ModelMessage): number {
  const counted = known.get(message)
  if (counted !== undefined) return counted
  const { content } = message
  const tokens = perMessage + estimateTokens(typeof content === 'string' ? content : JSON.stringify(content))
  known.set(message, tokens)
  return tokens
}

/** The size of the next request: what the provider counted for the last one, and an estimate of what came since. */
export function contextTokens(history: History, fixed: number): number {
  const messages = history.entries().map(({ message }) => message)
  const summary = history.summary === null ? 0 : estimateTokens(history.summary)
  const { lastUsage, countedMessages } = history
  if (!lastUsage) return fixed + summary + sum(messages)
  const counted = lastUsage.input + lastUsage.cacheRead + lastUsage.cacheWrite + lastUsage.output
  return counted + sum(messages.slice(countedMessages))
}

function sum(messages: readonly ModelMessage[]): number {
  return messages.reduce((total, message) => total + tokensOfMessage(message), 0)
}
