import type { ModelMessage } from 'ai'
import type { Entry, EntryOf, KeptAnswer, Usage } from './entries.ts'

/** A tool call of the model, as far as it has come. */
export interface Call {
  readonly id: string
  readonly tool: string
  readonly input: unknown
  request: string | null
  started: boolean
  done: boolean
}

/** A message to the model, and which line of the journal it begins with. */
interface Told {
  readonly message: ModelMessage
  readonly line: number
}

/**
 * What a conversation amounts to, kept up entry by entry. It never holds what a provider would refuse: the results of a
 * reply's calls follow it in one message, and what a person said meanwhile comes after them.
 */
export class History {
  #told: Told[] = []
  #lines = 0
  #calls: Call[] = []
  #results = new Map<string, EntryOf<'result'>>()
  #held: Told[] = []
  #callIds = new Set<string>()
  #replyLine = 0
  conversation: EntryOf<'conversation'> | null = null
  closed = false
  summary: string | null = null
  lastUsage: Usage | null = null
  /** How many messages the last usage has counted. */
  countedMessages = 0
  readonly total: Usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }
  readonly answers: KeptAnswer[] = []
  readonly files = new Set<string>()
  /** Requests whose outcome is part of the conversation, in the order they were taken. */
  readonly taken: string[] = []

  constructor(entries: readonly Entry[] = []) {
    for (const entry of entries) this.add(entry)
  }

  add(entry: Entry): void {
    const line = this.#lines
    this.#lines += 1
    switch (entry.type) {
      case 'conversation':
        this.conversation = entry
        return
      case 'user':
        this.#addUser(entry, line)
        return
      case 'assistant':
        this.#addReply(entry, line)
        return
      case 'asked':
        this.#update(entry.call, { request: entry.request })
        return
      case 'started':
        this.#update(entry.call, { started: true })
        return
      case 'result':
        this.#addResult(entry)
        return
      case 'compacted':
        this.#compact(entry)
        return
      case 'closed':
        this.closed = true
        return
      case 'ended':
        return
    }
  }

  /** All that the model is told, in order. Only whole while no call is open. */
  messages(): ModelMessage[] {
    const told = this.#told.map(({ message }) => message)
    return this.summary === null ? told : [{ role: 'user', content: this.summary }, ...told]
  }

  told(): readonly Told[] {
    return this.#told
  }

  /** The calls of the last reply that have no result yet, in their order. */
  openCalls(): Call[] {
    return this.#calls.filter(call => !call.done)
  }

  hasCall(id: string): boolean {
    return this.#callIds.has(id)
  }

  /** What the model said last. */
  lastText(): string {
    const { content = '' } = this.#told.findLast(({ message }) => message.role === 'assistant')?.message ?? {}
    if (typeof content === 'string') return content
    return content.map(part => (part.type === 'text' && 'text' in part ? part.text : '')).join('')
  }

  /** What it said together with the calls that are open; empty where it only called. */
  lastReply(): string {
    return this.openCalls().length > 0 ? this.lastText() : ''
  }

  isEmpty(): boolean {
    return this.#told.length === 0 && this.summary === null
  }

  /** Whether the model has something to reply to. */
  isModelsTurn(): boolean {
    const last = this.#told.at(-1)?.message ?? (this.summary === null ? null : { role: 'user' })
    return last !== null && last.role !== 'assistant' && this.openCalls().length === 0
  }

  #addUser({ text }: EntryOf<'user'>, line: number) {
    const told: Told = { message: { role: 'user', content: text }, line }
    if (this.openCalls().length > 0) this.#held.push(told)
    else this.#told.push(told)
  }

  #addReply({ content, usage }: EntryOf<'assistant'>, line: number) {
    this.#calls = content.filter(isCall).map(({ toolCallId: id, toolName: tool, input }) => {
      return { id, tool, input, request: null, started: false, done: false }
    })
    for (const { id } of this.#calls) this.#callIds.add(id)
    this.#results.clear()
    this.#replyLine = line
    if (content.length > 0)
      this.#told.push({ message: { role: 'assistant', content } as unknown as ModelMessage, line })
    this.#count(usage)
    if (usage) {
      this.lastUsage = usage
      this.countedMessages = this.#told.length
    }
  }

  #addResult(entry: EntryOf<'result'>) {
    this.#update(entry.call, { done: true })
    this.#results.set(entry.call, entry)
    this.answers.push(...entry.answers)
    for (const file of entry.files) this.files.add(file)
    if (entry.request !== null) this.taken.push(entry.request)
    if (this.openCalls().length > 0 || this.#calls.length === 0) return
    const results = this.#calls.flatMap(({ id }) => this.#results.get(id) ?? [])
    // As old as the reply itself: the two stay or go together.
    this.#told.push({ message: resultsMessage(results), line: this.#replyLine }, ...this.#held)
    this.#held = []
  }

  #compact({ summary, from, usage }: EntryOf<'compacted'>) {
    this.#told = this.#told.filter(({ line }) => line >= from)
    this.summary = summary
    this.lastUsage = null
    this.countedMessages = 0
    this.#count(usage)
  }

  #update(id: string, change: Partial<Call>) {
    const call = this.#calls.find(call => call.id === id)
    if (call) Object.assign(call, change)
  }

  #count(usage: Usage | null) {
    if (!usage) return
    for (const kind of ['input', 'output', 'cacheRead', 'cacheWrite'] as const) this.total[kind] += usage[kind]
  }
}

type Part = EntryOf<'assistant'>['content'][number]
type CallPart = Part & { toolCallId: string; toolName: string; input: unknown }

function isCall(part: Part): part is CallPart {
  return part.type === 'tool-call' && typeof part.toolCallId === 'string'
}

function resultsMessage(results: readonly EntryOf<'result'>[]): ModelMessage {
  return {
    role: 'tool',
    content: results.map(({ call, tool, output, failed }) => ({
      type: 'tool-result' as const,
      toolCallId: call,
      toolName: tool,
      output: { type: failed ? ('error-text' as const) : ('text' as const), value: output },
    })),
  }
}
