import type { ModelMessage } from 'ai'
import type { AnswerInput } from '../protocol/answer.ts'
import { BeckonError } from '../protocol/errors.ts'
import type { Settlement } from '../protocol/hub.ts'
import type { Request } from '../protocol/request.ts'
import { askModel } from './ask-model.ts'
import { Failures, groupCalls } from './calls.ts'
import { keepContext } from './context/keep.ts'
import { contextTokens, estimateTokens } from './context/tokens.ts'
import { Conversation } from './conversation.ts'
import type { AgentEvent, TurnResult } from './events.ts'
import { carryOut } from './execute-call.ts'
import { askAlways } from './guard.ts'
import { describeFault, isTooLong } from './model/retry.ts'
import type { AgentOptions, TurnOptions } from './options.ts'
import { instructionsFor } from './prompt.ts'
import { SubAgents } from './sub-agents.ts'
import type { Bench, EventWithoutPath } from './tool-context.ts'
import { allTools } from './tools/index.ts'
import { inputSchema, type Tool } from './tools/tool.ts'

const deepest = 3
const nearLimit = 0.8

/**
 * The built-in agent: what a person says, the model's reply, its tools, their results, and again, until the model has nothing
 * more to do. A question ends the turn with `needsInput`; until it is answered, the model is not called. Everything is
 * on the disk before it counts, so that a loop opened on the same folder later goes on exactly there.
 */
export class AgentLoop {
  readonly #options: Required<Pick<AgentOptions, 'mode' | 'path' | 'maxTurns' | 'maxContextTokens' | 'now'>> &
    AgentOptions
  readonly #conversation: Conversation
  readonly #tools: Map<string, Tool>
  readonly #instructions: string
  readonly #descriptions: { name: string; description: string; schema: Record<string, unknown> }[]
  /** What every request carries besides the conversation, in tokens. */
  readonly #fixed: number
  readonly #subAgents: SubAgents
  readonly #failures = new Failures()
  #waiting: Request[] = []
  #isBusy = false
  #toldNearLimit = false

  /** Opens a new conversation, or the one in `folder`, with whatever waits in it. */
  static async open(options: AgentOptions): Promise<AgentLoop> {
    const loop = new AgentLoop(options)
    await loop.#takeUp()
    return loop
  }

  private constructor(given: AgentOptions) {
    const usual = { mode: 'agent', path: ['main'], maxTurns: 20, maxContextTokens: 100_000, now: Date.now } as const
    const options = { ...usual, ...given }
    const { mode, path, cwd, run, now } = options
    const all = mode === 'chat' ? [] : (options.tools ?? allTools(options.classify ?? askAlways))
    const tools = path.length >= deepest ? all.filter(({ kind }) => kind !== 'delegate') : all
    this.#options = options
    this.#tools = new Map(tools.map(tool => [tool.name, tool]))
    this.#instructions = instructionsFor({ mode, cwd, path, today: new Date(now()).toISOString().slice(0, 10) })
    this.#descriptions = tools.map(tool => ({
      name: tool.name,
      description: tool.description.trim(),
      schema: inputSchema(tool),
    }))
    this.#fixed = estimateTokens(this.#instructions) + estimateTokens(JSON.stringify(this.#descriptions))
    this.#conversation = new Conversation({ ...options, run: run?.id ?? null, folder: options.folder })
    this.#subAgents = new SubAgents(AgentLoop.open, options, this.#conversation)
  }

  get folder(): string {
    return this.#conversation.folder
  }

  /**
   * One turn: what a person says, or nothing to go on. While a question is open, what is said is kept, told to the model
   * after the answer, and the question comes back.
   */
  async runTurn(text = '', options: TurnOptions = {}): Promise<TurnResult> {
    if (this.#isBusy) throw new BeckonError('busy', 'A turn is running already.')
    this.#isBusy = true
    try {
      if (text.trim() !== '') {
        this.#conversation.append({ type: 'user', text: text.toWellFormed() })
        this.#failures.forget()
      }
      const result = await this.#rounds(options)
      this.#conversation.append({ type: 'ended', how: result.status })
      return result
    } catch (error) {
      return { status: 'failed', needsInput: false, error: describeFault(error) }
    } finally {
      this.#isBusy = false
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
    return this.#history.openCalls().length === 0 && this.#compact(signal)
  }

  status() {
    const { lastUsage, answers, files, total } = this.#history
    const usage = { ...total }
    this.#subAgents.addUsage(usage)
    return {
      model: this.#options.model.id,
      tokens: this.#tokens(),
      counted: lastUsage !== null,
      limit: this.#options.maxContextTokens,
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

  isEmpty(): boolean {
    return this.#history.isEmpty()
  }

  /** What the model said last. */
  lastText(): string {
    return this.#history.lastText()
  }

  /** What the model is told of this conversation. */
  messages(): ModelMessage[] {
    return this.#history.messages()
  }

  /** Ends the conversation for good: it is kept on the disk, and not continued. */
  async reset(): Promise<void> {
    for (const { id } of this.#waiting) await this.#options.hub.cancel(id, { reason: 'The conversation was reset' })
    this.#waiting = []
    this.#conversation.append({ type: 'closed' })
  }

  close(): void {
    this.#subAgents.close()
    this.#conversation.close()
  }

  async #rounds({
    wait,
    patience,
    signal: given,
    maxTurns = this.#options.maxTurns,
  }: TurnOptions): Promise<TurnResult> {
    const { run, toolChoice } = this.#options
    const history = this.#history
    const signal = AbortSignal.any([given, run?.stopped].filter(one => one !== undefined))
    for (let turn = 0; ; turn += 1) {
      this.#waiting = await this.#carryOutCalls(this.#bench(wait ? (patience ?? never) : null, signal))
      const [question] = this.#waiting
      if (question) return { status: 'waiting', needsInput: true, question, questions: this.#waiting }
      const text = history.lastText()
      if (signal.aborted) return { status: 'interrupted', needsInput: false, text }
      if (!history.isModelsTurn()) return { status: 'done', needsInput: false, text }
      if (turn >= maxTurns) return { status: 'limit', needsInput: false, text }
      await run?.gate(signal)
      await this.#keepContext(signal)
      await this.#reply(toolChoice === 'first' && turn === 0 ? 'required' : 'auto', signal)
    }
  }

  async #reply(toolChoice: 'auto' | 'required', signal: AbortSignal): Promise<void> {
    const { model, sleep } = this.#options
    const history = this.#history
    const asking = {
      ...{ history, signal, sleep, toolChoice, instructions: this.#instructions, tools: this.#descriptions },
      model: await model.load(),
      emit: (event: EventWithoutPath) => this.#emit(event),
    }
    const { content, usage, interrupted } = await askModel(asking).catch(async error => {
      // Some models read less than they were thought to.
      if (!isTooLong(error) || !(await this.#compact(signal))) throw error
      return askModel(asking)
    })
    this.#conversation.append({
      ...{ type: 'assistant', content, model: model.id, usage },
      ...(interrupted ? { interrupted } : {}),
    })
    this.#emit({ type: 'reply', text: content.length > 0 ? history.lastText() : '', usage })
  }

  /** Brings every open call of the last reply to its result; returns what has to be answered first. */
  async #carryOutCalls(bench: Bench): Promise<Request[]> {
    for (const group of groupCalls(this.#history.openCalls(), bench.toolOf)) {
      const ends = await Promise.allSettled(group.map(call => carryOut(bench, call)))
      const broken = ends.find(end => end.status === 'rejected')
      if (broken) throw broken.reason
      const waiting = ends.flatMap(end => (end.status === 'fulfilled' ? end.value : []))
      if (waiting.length > 0) return waiting
    }
    return []
  }

  #bench(patience: AbortSignal | null, signal: AbortSignal): Bench {
    const { hub, run = null, cwd, env = process.env, home, path, now } = this.#options
    const { id, folder } = this.#conversation
    const tools = this.#tools
    return {
      desk: {
        ...{ hub, run: run?.id ?? null, conversation: id, path, cwd, patience, signal, now },
        said: () => this.#history.lastReply(),
      },
      place: { cwd, home, env: { ...env, ...(run ? { BECKON_RUN: run.id } : {}) }, readable: [folder] },
      folder,
      failures: this.#failures,
      toolOf: name => tools.get(name),
      toolNames: () => [...tools.keys()],
      append: entry => this.#conversation.append(entry),
      emit: event => this.#emit(event),
      delegate: (call, task) => this.#subAgents.runTurn(call, task, waiting(patience, signal)),
      gate: async () => run?.gate(signal),
    }
  }

  /** Tells once that the context is nearly full, and makes room when it is. */
  async #keepContext(signal: AbortSignal): Promise<void> {
    const limit = this.#options.maxContextTokens
    const tokens = this.#tokens()
    const isNear = tokens >= limit * nearLimit
    if (isNear && !this.#toldNearLimit) this.#emit({ type: 'context', tokens, limit })
    this.#toldNearLimit = isNear
    if (tokens >= limit) await this.#compact(signal)
  }

  async #compact(signal: AbortSignal): Promise<boolean> {
    const { model, maxContextTokens: limit } = this.#options
    const journal = this.#conversation.file
    this.#emit({ type: 'compacting' })
    const kept = await keepContext({ history: this.#history, model: await model.load(), limit, journal, signal })
    if (!kept) return false
    this.#conversation.append({ type: 'compacted', ...kept })
    this.#emit({ type: 'compacted', tokens: this.#tokens() })
    return true
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
        this.#waiting.push(...(await this.#subAgents.of(call, name)).getPendingQuestions())
      }
    }
  }

  get #history() {
    return this.#conversation.history
  }

  #tokens(): number {
    return contextTokens(this.#history, this.#fixed)
  }

  #emit(event: EventWithoutPath): void {
    this.#options.onEvent?.({ ...event, path: this.#options.path } as AgentEvent)
  }
}

const never = new AbortController().signal

/** Sub-agents wait just as long. */
function waiting(patience: AbortSignal | null, signal: AbortSignal): TurnOptions {
  return patience === null ? { signal } : { wait: true, patience, signal }
}
