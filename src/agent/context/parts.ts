import type { ModelMessage } from 'ai'
import type { History } from '../journal/history.ts'
import { estimateTokens, tokensOfMessage } from './tokens.ts'

/** A part of what the model reads, in tokens. */
export interface ContextPart {
  readonly name: string
  readonly tokens: number
}

/** What fills the context. The parts are estimated, and scaled to add up to the size that the provider counted. */
export function contextParts(
  history: History,
  { system, project, tools, total }: { system: string; project: string; tools: string; total: number },
): ContextPart[] {
  const messages = history.entries().map(({ message }) => message)
  const isResult = ({ role }: ModelMessage) => role === 'tool'
  const parts = [
    { name: 'system prompt', tokens: estimateTokens(system) },
    { name: 'instructions', tokens: estimateTokens(project) },
    { name: 'tools', tokens: estimateTokens(tools) },
    { name: 'summary', tokens: estimateTokens(history.summary ?? '') },
    { name: 'messages', tokens: sum(messages.filter(message => !isResult(message))) },
    { name: 'tool results', tokens: sum(messages.filter(isResult)) },
  ]
  const estimated = parts.reduce((all, { tokens }) => all + tokens, 0)
  const scale = estimated === 0 ? 1 : total / estimated
  return parts.filter(({ tokens }) => tokens > 0).map(part => ({ ...part, tokens: Math.round(part.tokens * scale) }))
}

function sum(messages: readonly ModelMessage[]): number {
  return messages.reduce((all, message) => all + tokensOfMessage(message), 0)
}
