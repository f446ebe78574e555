import type { ModelMessage, UserContent } from 'ai'
import type { Entry, EntryOf, KeptAnswer, KeptImage, Usage } from './entries.ts'
import { countingLines } from './lines.ts'
import { Names } from './names.ts'

/** A tool call of the model, and its progress. */
export interface Call {
  readonly id: string
  readonly tool: string
  readonly input: unknown
  request: string | null
  started: boolean
  done: boolean
}

/** The content of an image in base64; null where it is gone. */
type LoadImage = (image: KeptImage) => string | null

/** A message to the model, and the line of the journal that it begins with. */
interface HistoryEntry {
  readonly message: ModelMessage
  readonly line: number
}

/**
 * The state of a conversation, updated entry by entry. It never holds what a provider would refuse: the results of a
 * reply's calls follow it in one message, and what a person said meanwhile comes after them.
 */
export class History {
  #entries: HistoryEntry[] = []
  #lines = 0
  #calls: Call[] = []
  #results = new Map<string, EntryOf<'result'>>()
  /** What a person said while calls were open. */
  #deferred: HistoryEntry[] = []
  #callIds = new Set<string>()
  #replyLine = 0
  conversation: EntryOf<'conversation'> | null = null
  closed = false
  /** Whether a person stopped the last turn, and has said nothing since. */
  isStopped = false
  /** Nothing may be changed before a person approves a plan. */
  isPlanning = false
  /** Where a person turned plan mode on or off last; an earlier approval does not end it. */
  #planLine = -1
  summary: string | null = null
  /** The models that replied. */
  readonly models = new Set<string>()
  /** The model that was chosen last. */
  model: string | null = null
  lastUsage: Usage | null = null
  /** How many messages the last usage covers. */
  countedMessages = 0
  readonly total: Usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }
  /** Whether a part of the total is an estimate of ours. */
  isEstimated = false
  /** Everything a person wrote, with its line of the journal; summaries do not shorten it. */
  readonly personMessages: { readonly text: string; readonly line: number }[] = []
  readonly answers: KeptAnswer[] = []
  readonly files = new Set<string>()
  /** Those among them that were written. */
  readonly changedFiles = new Set<string>()
  readonly names = new Names()
  /** Requests whose outcome is part of the conversation, in order. */
  readonly delivered: string[] = []
  /** What people asked back, in order. */
  readonly askedBack: { readonly request: string; readonly message: string }[] = []
  /** Requests that are open although their call has a result: a person asked back, and nobody replied yet. */
  readonly unreplied = new Set<string>()

  readonly #loadImage: LoadImage

  constructor(entries: readonly Entry[] = [], loadImage: LoadImage = () => null) {
    this.#loadImage = loadImage
    for (const entry of entries) this.#remember(entry)
    for (const { entry, line } of countingLines(entries)) this.#apply(entry, line)
  }

  /** Any entry but a rewind, after which the history is read anew. */
  add(entry: Entry): void {
    const line = this.#lines
    this.#remember(entry)
    this.#apply(entry, line)
  }

  /** What a rewind does not take back: what was paid for, whether a plan is wanted, and the ids of calls, by which the hub knows their requests. */
  #remember(entry: Entry): void {
    if (entry.type === 'plan') {
      this.isPlanning = entry.on
      this.#planLine = this.#lines
    }
    this.#lines += 1
    if (entry.type === 'assistant')
      for (const { toolCallId } of entry.content.filter(isCall)) this.#callIds.add(toolCallId)
    if (entry.type === 'assistant' || entry.type === 'compacted') this.#count(entry.usage)
    if (entry.type === 'assistant' && entry.estimated) {
      this.#count(entry.estimated)
      this.isEstimated = true
    }
    if (entry.type === 'model') this.model = entry.model
    if (entry.type === 'assistant') this.models.add(entry.model)
  }

  #apply(entry: Entry, line: number): void {
    switch (entry.type) {
      case 'conversation':
        this.conversation = entry
        return
      case 'user':
        this.isStopped = false
        this.#addUser(entry, line)
        return
      case 'assistant':
        this.isStopped = false
        this.#addReply(entry, line)
        return
      case 'asked':
        this.#update(entry.call, { request: entry.request })
        this.unreplied.delete(entry.request)
        return
      case 'started':
        this.#update(entry.call, { started: true })
        return
      case 'result':
        this.#addResult(entry)
        if (entry.plan === 'approved' && line > this.#planLine) this.isPlanning = false
        return
      case 'compacted':
        this.#compact(entry)
        return
      case 'closed':
        this.closed = true
        return
      case 'checkpoint':
      case 'model':
      case 'plan':
      case 'rewinding':
      case 'rewound':
        return
      case 'ended':
        this.isStopped = entry.how === 'interrupted'
        return
    }
  }

  /** Everything the model gets, in order. Only complete while no call is open. */
  messages(): ModelMessage[] {
    const messages = this.#entries.map(({ message }) => message)
    return this.summary === null ? messages : [{ role: 'user', content: this.summary }, ...messages]
  }

  entries(): readonly HistoryEntry[] {
    return this.#entries
  }

  /** The calls of the last reply that have no result yet, in order. */
  openCalls(): Call[] {
    return this.#calls.filter(call => !call.done)
  }

  hasCall(id: string): boolean {
    return this.#callIds.has(id)
  }

  /** What the model said last. */
  lastText(): string {
    const { content = '' } = this.#entries.findLast(({ message }) => message.role === 'assistant')?.message ?? {}
    if (typeof content === 'string') return content
    return content.map(part => (part.type === 'text' && 'text' in part ? part.text : '')).join('')
  }

  /** What it said with the calls that are open; empty if it said nothing. */
  lastReply(): string {
    return this.openCalls().length > 0 ? this.lastText() : ''
  }

  isEmpty(): boolean {
    return this.#entries.length === 0 && this.summary === null
  }

  /** Whether the model has something to reply to. */
  isModelsTurn(): boolean {
    const last = this.#entries.at(-1)?.message ?? (this.summary === null ? null : { role: 'user' })
    return last !== null && last.role !== 'assistant' && this.openCalls().length === 0
  }

  #addUser({ text, images = [] }: EntryOf<'user'>, line: number) {
    this.personMessages.push({ text, line })
    this.names.addText(text)
    const entry: HistoryEntry = {
      message: { role: 'user', content: images.length > 0 ? this.#withImages(text, images) : text },
      line,
    }
    if (this.openCalls().length > 0) this.#deferred.push(entry)
    else this.#entries.push(entry)
  }

  #withImages(text: string, images: readonly KeptImage[]): UserContent {
    const parts = images.map(image => {
      const data = this.#loadImage(image)
      if (data === null) return { type: 'text' as const, text: `(The image ${image.name} is gone.)` }
      return { type: 'file' as const, data, mediaType: image.mediaType, filename: image.name }
    })
    return [{ type: 'text', text }, ...parts]
  }

  #addReply(entry: EntryOf<'assistant'>, line: number) {
    const { content, usage } = entry
    this.names.addReply(entry)
    this.#calls = content.filter(isCall).map(({ toolCallId: id, toolName: tool, input }) => {
      return { id, tool, input, request: null, started: false, done: false }
    })
    this.#results.clear()
    this.#replyLine = line
    if (content.length > 0)
      this.#entries.push({ message: { role: 'assistant', content } as unknown as ModelMessage, line })
    if (usage) {
      this.lastUsage = usage
      this.countedMessages = this.#entries.length
    }
  }

  #addResult(entry: EntryOf<'result'>) {
    this.#update(entry.call, { done: true })
    this.#results.set(entry.call, entry)
    this.answers.push(...entry.answers)
    for (const file of entry.files) {
      this.files.add(file)
      if (entry.tool === 'Write' || entry.tool === 'Edit') this.changedFiles.add(file)
    }
    if (entry.request !== null) this.delivered.push(entry.request)
    if (entry.askedBack) {
      this.askedBack.push(entry.askedBack)
      this.unreplied.add(entry.askedBack.request)
    }
    if (this.openCalls().length > 0 || this.#calls.length === 0) return
    const results = this.#calls.flatMap(({ id }) => this.#results.get(id) ?? [])
    // The line of the reply itself: compaction keeps or drops the two together.
    this.#entries.push({ message: resultsMessage(results), line: this.#replyLine }, ...this.#deferred)
    this.#deferred = []
  }

  #compact({ summary, from }: EntryOf<'compacted'>) {
    this.#entries = this.#entries.filter(({ line }) => line >= from)
    this.summary = summary
    this.lastUsage = null
    this.countedMessages = 0
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
