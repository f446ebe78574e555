import { join } from 'node:path'
import type { ModelMessage } from 'ai'
import type { AnswerInput } from '../protocol/answer.ts'
import { BeckonError } from '../protocol/errors.ts'
import type { HubApi, Settlement } from '../protocol/hub.ts'
import type { Request } from '../protocol/request.ts'
import { Failures, groupCalls } from './calls.ts'
import { type Bench, carryOut, type EventWithoutPath } from './carry-out.ts'
import { keepContext } from './context/keep.ts'
import { contextTokens, estimateTokens } from './context/tokens.ts'
import type { AgentEvent, TurnResult } from './events.ts'
import { askAlways, type Classify } from './guard.ts'
import type { NewEntry, Usage } from './journal/entries.ts'
import { journalIn, newConversationFolder } from './journal/folder.ts'
import { type Call, History } from './journal/history.ts'
import { type Journal, openJournal } from './journal/journal.ts'
import { lockFolder } from './journal/lock.ts'
import { callModel, type Reply } from './model/call.ts'
import type { ChosenModel } from './model/choose.ts'
import { describeFault, withRetries } from './model/retry.ts'
import { instructionsFor } from './prompt.ts'
import type { AgentRun } from './run.ts'
import { allTools } from './tools/index.ts'
import { inputSchema, type Tool } from './tools/tool.ts'

export interface AgentOptions {
  /** Where questions and approvals are stored, and answered. */
  readonly hub: HubApi
  readonly model: ChosenModel
  /** Beckon's folder; conversations are kept in it. */
  readonly home: string
  /** The workspace. */
  readonly cwd: string
  readonly env?: NodeJS.ProcessEnv
  readonly mode?: 'agent' | 'chat'
  /** The folder of a conversation to continue; a new one unless given. */
  readonly folder?: string
  readonly run?: Pick<AgentRun, 'id' | 'gate' | 'stopped'> | null
  readonly tools?: readonly Tool[]
  /** Looks at every command before it runs; without one, a person is asked about each. */
  readonly classify?: Classify
  /** How often the model is called in one turn, at most. */
  readonly maxTurns?: number
  readonly maxContextTokens?: number
  /** `first`: the first reply of a turn must use a tool. */
  readonly toolChoice?: 'auto' | 'first'
  readonly onEvent?: (event: AgentEvent) => void
  readonly now?: () => number
  /** How a failed request to the model is waited for; a test need not wait. */
  readonly sleep?: (ms: number, signal: AbortSignal) => Promise<void>
  /** From the main agent to this one. */
  readonly path?: readonly string[]
}

export interface TurnOptions {
  /** Wait for a person inside of the turn, instead of returning `needsInput`. */
  readonly wait?: boolean
  readonly signal?: AbortSignal
  readonly maxTurns?: number
}

const deepest = 3
const mostTries = 6

/**
 * The built-in agent: what a person says, the model's reply, its tools, their results, and again, until the model has nothing
 * more to do. A question ends the turn with `needsInput`; until it is answered, the model is not called. Everything is
 * on the disk before it counts, so that a loop opened on the same folder later goes on exactly there.
 */
export class AgentLoop {
  readonly folder: string
  readonly #options: AgentOptions
  readonly #journal: Journal
  readonly #history: History
  readonly #tools: Map<string, Tool>
  readonly #failures = new Failures()
  readonly #children = new Map<string, AgentLoop>()
  readonly #unlock: () => void
  #waiting: Request[] = []
  #busy = false
  #toldNearLimit = false

  /** Opens a new conversation, or the one in `folder`, with whatever waits in it. */
  static async open(options: AgentOptions): Promise<AgentLoop> {
    const loop = new AgentLoop(options)
    await loop.#takeUp()
    return loop
  }

  private constructor(options: AgentOptions) {
    const { home, cwd, mode = 'agent', now = Date.now, path = ['main'], run } = options
    this.#options = options
    this.folder = options.folder ?? newConversationFolder(home, now())
    // A sub-agent's folder lies in that of its main agent.
    this.#unlock = path.length > 1 ? () => {} : lockFolder(this.folder)
    const { journal, entries } = openJournal(journalIn(this.folder), now)
    this.#journal = journal
    this.#history = new History(entries)
    const tools = mode === 'chat' ? [] : (options.tools ?? allTools(options.classify ?? askAlways))
    const usable = path.length >= deepest ? tools.filter(({ kind }) => kind !== 'delegate') : tools
    this.#tools = new Map(usable.map(tool => [tool.name, tool]))
    if (this.#history.conversation === null) {
      const id = this.folder.split(/[/\\]/).slice(-1)[0] ?? ''
      this.#append({ type: 'conversation', version: 1, id, mode, cwd, path: [...path], run: run?.id ?? null })
    }
  }

  /**
   * One turn: what a person says, or nothing to go on. While a question is open, what is said is kept, told to the model
   * after the answer, and the question comes back.
   */
  async runTurn(text = '', options: TurnOptions = {}): Promise<TurnResult> {
    if (this.#busy) throw new BeckonError('busy', 'A turn is running already.')
    this.#busy = true
    try {
      if (text.trim() !== '') {
        this.#append({ type: 'user', text: text.toWellFormed() })
        this.#failures.forget()
      }
      const result = await this.#rounds(options)
      this.#append({ type: 'ended', how: result.status })
      return result
    } catch (error) {
      return { status: 'failed', needsInput: false, error: describeFault(error) }
    } finally {
      this.#busy = false
    }
  }

  isWaitingInput(): boolean {
    return this.#waiting.length > 0
  }

  /** The request that was asked first of those that wait. */
  getPendingQuestion(): Request | null {
    return this.#waiting[0] ?? null
  }

  getPendingQuestions(): readonly Request[] {
    return this.#waiting
  }

  /** Answers what waits: the first question, or the one with this id. `runTurn()` goes on with it. */
  async answerQuestion(answer: string | string[] | AnswerInput, id?: string): Promise<Settlement> {
    const request = id === undefined ? this.getPendingQuestion() : this.#waiting.find(one => one.id === id)
    if (!request) throw new BeckonError('not_found', id ? `${id} does not wait here.` : 'No question is open.')
    const input = typeof answer === 'string' || Array.isArray(answer) ? { value: answer } : answer
    const settlement = await this.#options.hub.answer(request.id, input)
    this.#waiting = this.#waiting.filter(one => one.id !== request.id)
    return settlement
  }

  /** Makes room now; false when there is nothing to summarise yet. */
  async compact(signal: AbortSignal = new AbortController().signal): Promise<boolean> {
    if (this.#history.openCalls().length > 0) return false
    return this.#keepContext(signal, true)
  }

  status() {
    const { lastUsage, answers, files } = this.#history
    const usage = { ...this.#history.total }
    for (const child of this.#children.values()) addUsage(usage, child.status().usage)
    return {
      model: this.#options.model.id,
      tokens: contextTokens(this.#history, this.#fixedTokens()),
      counted: lastUsage !== null,
      limit: this.#limit(),
      usage,
      answers: answers.length,
      files: files.size,
      waiting: this.#waiting.length,
    }
  }

  /** Whether there is something to go on with: an open question, or a turn that was cut off. */
  isUnfinished(): boolean {
    return this.#history.openCalls().length > 0 || this.#history.isModelsTurn()
  }

  /** What was said in this conversation so far. */
  messages(): ModelMessage[] {
    return this.#history.messages()
  }

  /** Ends the conversation for good: it is kept on the disk, and not continued. */
  async reset(): Promise<void> {
    for (const { id } of this.#waiting) await this.#options.hub.cancel(id, { reason: 'The conversation was reset' })
    this.#waiting = []
    this.#append({ type: 'closed' })
  }

  close(): void {
    for (const child of this.#children.values()) child.close()
    this.#journal.close()
    this.#unlock()
  }

  async #rounds({ wait = false, signal: given, maxTurns }: TurnOptions): Promise<TurnResult> {
    const signals = [given, this.#options.run?.stopped].filter(one => one !== undefined)
    const signal = AbortSignal.any(signals)
    const most = maxTurns ?? this.#options.maxTurns ?? 20
    for (let turn = 0; ; turn += 1) {
      this.#waiting = await this.#carryOutCalls(this.#bench(wait, signal))
      const [question] = this.#waiting
      if (question) return { status: 'waiting', needsInput: true, question, questions: this.#waiting }
      if (signal.aborted) return { status: 'interrupted', needsInput: false, text: this.#history.lastText() }
      if (!this.#history.isModelsTurn()) return { status: 'done', needsInput: false, text: this.#history.lastText() }
      if (turn >= most) return { status: 'limit', needsInput: false, text: this.#history.lastText() }
      await this.#options.run?.gate()
      await this.#keepContext(signal)
      this.#record(await this.#askModel(turn, signal))
    }
  }

  /** Brings every open call of the last reply to its result; returns what has to be answered first. */
  async #carryOutCalls(bench: Bench): Promise<Request[]> {
    const toolOf = (name: string) => this.#tools.get(name)
    for (const group of groupCalls(this.#history.openCalls(), toolOf)) {
      const ends = await Promise.allSettled(group.map(call => carryOut(bench, call)))
      const broken = ends.find(end => end.status === 'rejected')
      if (broken) throw broken.reason
      const waiting = ends.flatMap(end => (end.status === 'fulfilled' ? end.value : []))
      if (waiting.length > 0) return waiting
    }
    return []
  }

  async #askModel(turn: number, signal: AbortSignal): Promise<Reply> {
    const { toolChoice = 'auto', sleep } = this.#options
    const model = await this.#options.model.load()
    return withRetries(
      () =>
        callModel({
          model,
          instructions: this.#instructions(),
          messages: this.#history.messages(),
          tools: this.#descriptions(),
          toolChoice: toolChoice === 'first' && turn === 0 ? 'required' : 'auto',
          signal,
          onText: text => this.#emit({ type: 'text', text }),
        }),
      { signal, mostTries, onRetry: about => this.#emit({ type: 'retry', ...about }), ...(sleep ? { sleep } : {}) },
    ).catch(error => {
      if (signal.aborted) return { content: [], usage: null, finish: 'abort', interrupted: true }
      throw error
    })
  }

  #record(reply: Reply): void {
    const content = this.#withOwnIds(reply.content)
    // A reply of nothing would be asked for again and again.
    const said = content.length > 0 || reply.interrupted ? content : [{ type: 'text', text: '(no reply)' }]
    const { usage, interrupted } = reply
    this.#append({
      type: 'assistant',
      content: said,
      model: this.#options.model.id,
      usage,
      ...(interrupted ? { interrupted } : {}),
    })
    this.#emit({ type: 'reply', text: this.#history.lastText(), usage })
  }

  /** Some models count their calls anew in every reply; here each has a name of its own. */
  #withOwnIds(content: Reply['content']): Reply['content'] {
    const taken = new Set<string>()
    return content.map(part => {
      if (part.type !== 'tool-call') return part
      const given = String(part.toolCallId)
      let id = given
      for (let count = 2; taken.has(id) || this.#history.hasCall(id); count += 1) id = `${given}-${count}`
      taken.add(id)
      return { ...part, toolCallId: id, input: part.input ?? {} }
    })
  }

  async #keepContext(signal: AbortSignal, now = false): Promise<boolean> {
    const limit = this.#limit()
    const tokens = contextTokens(this.#history, this.#fixedTokens())
    if (tokens < limit * 0.8) this.#toldNearLimit = false
    else if (!this.#toldNearLimit) {
      this.#toldNearLimit = true
      this.#emit({ type: 'context', tokens, limit })
    }
    if (tokens < limit && !now) return false
    this.#emit({ type: 'compacting' })
    const kept = await keepContext({
      history: this.#history,
      model: await this.#options.model.load(),
      limit,
      journal: this.#journal.file,
      signal,
    })
    if (!kept) return false
    this.#append({ type: 'compacted', ...kept })
    this.#emit({ type: 'compacted', tokens: contextTokens(this.#history, this.#fixedTokens()) })
    return true
  }

  #bench(waits: boolean, signal: AbortSignal): Bench {
    const { hub, run = null, cwd, env = process.env, home, path = ['main'] } = this.#options
    const id = this.#history.conversation?.id ?? ''
    const tools = this.#tools
    return {
      desk: { hub, run: run?.id ?? null, conversation: id, path, cwd, waits, signal },
      place: { cwd, home, env: { ...env, ...(run ? { BECKON_RUN: run.id } : {}) }, readable: [this.folder] },
      folder: this.folder,
      failures: this.#failures,
      toolOf: name => tools.get(name),
      toolNames: () => [...tools.keys()],
      append: entry => this.#append(entry),
      emit: event => this.#emit(event),
      delegate: (call, task) => this.#delegate(call, task, { wait: waits, signal }),
      gate: async () => run?.gate(),
    }
  }

  async #delegate(call: Call, task: { name: string; prompt: string }, options: TurnOptions): Promise<TurnResult> {
    const child = await this.#child(call, task.name)
    return child.runTurn(child.#history.isEmpty() ? task.prompt : '', options)
  }

  async #child(call: Call, name: string): Promise<AgentLoop> {
    const known = this.#children.get(call.id)
    if (known) return known
    const { path = ['main'] } = this.#options
    // The name is also the name of its conversation: the way down to it, so that no other has the same.
    const own = `${this.#history.conversation?.id}-${call.id.replaceAll(/[^\w.-]/g, '_').slice(-60)}`
    const folder = join(this.folder, 'sub', own)
    const child = await AgentLoop.open({ ...this.#options, folder, path: [...path, name] })
    this.#children.set(call.id, child)
    return child
  }

  /** After a start: whatever was taken and not confirmed is confirmed, and what was open is open again. */
  async #takeUp(): Promise<void> {
    const { hub } = this.#options
    for (const id of this.#history.taken.slice(-10)) {
      const request = await hub.get(id)
      if (request.deliveredAt === null && request.status !== 'pending') await hub.confirmDelivery(id)
    }
    for (const call of this.#history.openCalls()) {
      if (call.request !== null) {
        const request = await hub.get(call.request)
        if (request.status === 'pending') this.#waiting.push(request)
      } else if (this.#tools.get(call.tool)?.kind === 'delegate') {
        const { name = 'agent' } = call.input as { name?: string }
        this.#waiting.push(...(await this.#child(call, name)).getPendingQuestions())
      }
    }
  }

  #append(entry: NewEntry): void {
    this.#history.add(this.#journal.append(entry))
  }

  #emit(event: EventWithoutPath): void {
    this.#options.onEvent?.({ ...event, path: this.#options.path ?? ['main'] } as AgentEvent)
  }

  #limit(): number {
    return this.#options.maxContextTokens ?? 100_000
  }

  #instructions(): string {
    const { mode = 'agent', cwd, path = ['main'], now = Date.now } = this.#options
    return instructionsFor({
      mode,
      cwd,
      path,
      platform: process.platform,
      today: new Date(now()).toISOString().slice(0, 10),
      tools: [...this.#tools.keys()],
    })
  }

  #descriptions() {
    return [...this.#tools.values()].map(tool => ({
      name: tool.name,
      description: tool.description.trim(),
      schema: inputSchema(tool),
    }))
  }

  #fixed: number | null = null

  #fixedTokens(): number {
    this.#fixed ??= estimateTokens(this.#instructions()) + estimateTokens(JSON.stringify(this.#descriptions()))
    return this.#fixed
  }
}

function addUsage(total: Usage, more: Usage): void {
  for (const kind of Object.keys(total) as (keyof Usage)[]) total[kind] += more[kind]
}
