import type { LanguageModel } from 'ai'
import type { EntryOf, Usage } from '../journal/entries.ts'
import type { History } from '../journal/history.ts'
import { callModel } from '../model/call.ts'
import instructions from './compact.md'
import { composeSummary, noSummary, planCompaction } from './compact.ts'

export interface SummariseOptions {
  readonly history: History
  readonly model: LanguageModel
  readonly limit: number
  /** The file with the whole conversation, for the model to look things up in. */
  readonly journal: string
  readonly signal: AbortSignal
  /** What the person wants to be kept in particular. */
  readonly keep: string
}

type Summary = Omit<EntryOf<'compacted'>, 'type' | 'at'>

/**
 * A summary of the older part of the conversation; null when there is nothing to summarise, or a person stopped it: half
 * a summary would lose the rest.
 */
export async function summarise(options: SummariseOptions): Promise<Summary | null> {
  const { history, limit, journal, keep } = options
  const plan = planCompaction(history, limit)
  if (!plan) return null
  const asked = askForSummary(options, plan.transcript)
  const { text, usage } = await asked.catch(() => ({ text: noSummary, usage: null }))
  if (options.signal.aborted) return null
  const { from } = plan
  return { summary: composeSummary(history, text, { journal, from, limit, keep }), from, usage }
}

async function askForSummary(
  { model, signal, keep }: SummariseOptions,
  transcript: string,
): Promise<{ text: string; usage: Usage | null }> {
  const content = `<conversation>\n${transcript}\n</conversation>\n\nSummarise it.${keep === '' ? '' : ` Keep in particular: ${keep}`}`
  const messages = [{ role: 'user' as const, content }]
  const reply = await callModel({ model, instructions, messages, tools: [], signal, onText() {} })
  const text = reply.content.map(part => (part.type === 'text' ? String(part.text) : '')).join('')
  if (text.trim() === '') throw new Error('The model wrote no summary.')
  return { text, usage: reply.usage }
}
