import type { ModelMessage } from 'ai'
import { hubForChannel, readChannel } from '../library/program-hub.ts'
import type { AnswerInput } from '../protocol/answer.ts'
import { BeckonError } from '../protocol/errors.ts'
import type { Settlement } from '../protocol/hub.ts'
import type { Request } from '../protocol/request.ts'
import { type KeyedHash, loadKeyedHash } from '../secrets/keyed-hash.ts'
import { askAlways } from './ask-always.ts'
import { askModel } from './ask-model.ts'
import { FailureCounter, groupCalls } from './calls.ts'
import { estimateTokens } from './context/tokens.ts'
import { ContextWindow } from './context/window.ts'
import { Conversation } from './conversation.ts'
import type { AgentEvent, TurnResult } from './events.ts'
import { executeCall } from './execute-call.ts'
import { describeModelError, isTooLong } from './model/retry.ts'
import type { AgentOptions, TurnOptions } from './options.ts'
import { instructionsFor } from './prompt.ts'
import { SubAgents } from './sub-agents.ts'
import type { EventWithoutPath, ToolContext } from './tool-context.ts'
import { allTools } from './tools/index.ts'
import { inputSchema, type Tool } from './tools/tool.ts'

const maxDepth = 3
const defaults = { mode: 'agent', path: ['main'], maxTurns: 20, maxContextTokens: 100_000, now: Date.now } as const

/**
 * The built-in agent: a person's message, the model's reply, its tool calls, their results, and again, until the model
 * has nothing more to do. A question ends the turn with `needsInput`; the model is not called until it is answered.
 * Everything is on the disk before it counts, so a loop opened later on the same folder continues exactly there.
 */
export class AgentLoop {
  readonly #options: AgentOptions & Required<Pick<AgentOptions, keyof typeof defaults>>
  readonly #hmac: KeyedHash
  readonly #conversation: Conversation
  readonly #tools: Map<string, Tool>
  readonly #instructions: string
  readonly #descriptions: { name: string; description: string; schema: Record<string, unknown> }[]
  readonly #window: ContextWindow
  readonly #subAgents: SubAgents
  readonly #failures = new FailureCounter()
  readonly #channel: string | null
  #waiting: Request[] = []
  #isBusy = false

  /** Opens a new conversation, or the one in `folder` with the questions that are open in it. */
  static async open(options: AgentOptions): Promise<AgentLoop> {
    const hmac = await loadKeyedHash({ home: options.home, env: options.env ?? process.env })
    const loop = new AgentLoop(options, hmac)
    await loop.#resume()
    return loop
  }

  private constructor(given: AgentOptions, hmac: KeyedHash) {
    this.#hmac = hmac
    const options = { ...defaults, ...given }
    this.#channel = readChannel(options.channel)
    const { mode, path, cwd, run, now } = options
    const all = mode === 'chat' ? [] : (options.tools ?? allTools(options.classify ?? askAlways))
    const tools = path.length >= maxDepth ? all.filter(({ kind }) => kind !== 'delegate') : all
    this.#options = options
    this.#tools = new Map(tools.map(tool => [tool.name, tool]))
    this.#instructions = instructionsFor({ mode, cwd, path, today: new Date(now()).toISOString().slice(0, 10) })
    this.#descriptions = tools.map(tool => ({
      name: tool.name,
      description: tool.description.trim(),
      schema: inputSchema(tool),
    }))
    this.#conversation = new Conversation({ ...options, run: run?.id ?? null, folder: options.folder })
    this.#window = new ContextWindow({
      conversation: this.#conversation,
      model: options.model,
      limit: options.maxContextTokens,
      fixed: estimateTokens(this.#instructions) + estimateTokens(JSON.stringify(this.#descriptions)),
      emit: event => this.#emit(event),
    })
    this.#subAgents = new SubAgents(AgentLoop.open, options, this.#conversation)
  }

  get folder(): string {
    return this.#conversation.folder
  }

  /**
   * One turn: a person's message, or none to continue. While a question is open, the message is kept for the model until
   * after the answer, and the question is returned again.
   */
  async runTurn(text = '', options: TurnOptions = {}): Promise<TurnResult> {
    if (this.#isBusy) throw new BeckonError('in_use', 'A turn is already running.')
    this.#isBusy = true
    try {
      if (text.trim() !== '') {
        this.#conversation.append({ type: 'user', text: text.toWellFormed() })
        this.#failures.reset()
      }
      const result = await this.#rounds(options)
      this.#conversation.append({ type: 'ended', how: result.status })
      return result
    } catch (error) {
      return { status: 'failed', needsInput: false, error: describeModelError(error) }
    } finally {
      this.#isBusy = false
    }
  }

  isWaitingInput(): boolean {
    return this.#waiting.length > 0
  }

  /** The oldest open request. */
  getPendingQuestion(): Request | null {
    return this.#waiting[0] ?? null
  }

  getPendingQuestions(): readonly Request[] {
    return this.#waiting
  }

  /** Answers the oldest open question, or the one with this id. `runTurn()` continues with the answer. */
  async answerQuestion(answer: string | string[] | AnswerInput, id?: string): Promise<Settlement> {
    const request = id === undefined ? this.getPendingQuestion() : this.#waiting.find(one => one.id === id)
    if (!request)
      throw new BeckonError('not_found', id ? `${id} is not open in this conversation.` : 'No question is open.')
    const input = typeof answer === 'string' || Array.isArray(answer) ? { value: answer } : answer
    const settlement = await this.#answer(request.id, input)
    this.#waiting = this.#waiting.filter(one => one.id !== request.id)
    return settlement
  }

  #answer(id: string, input: AnswerInput): Promise<Settlement> {
    const { hub } = this.#options
    const channel = this.#channel
    return channel === null ? hub.answer(id, input) : hubForChannel(hub, channel).answer(id, { channel, ...input })
  }

  /** Summarises now; false when there is nothing to summarise yet. */
  async compact(signal: AbortSignal = new AbortController().signal): Promise<boolean> {
    return this.#history.openCalls().length === 0 && this.#window.compact(signal)
  }

  status() {
    const { answers, files, total } = this.#history
    const usage = { ...total }
    this.#subAgents.addUsage(usage)
    return {
      model: this.#options.model.id,
      ...this.#window.size(),
      limit: this.#options.maxContextTokens,
      usage,
      answers: answers.length,
      files: files.size,
      waiting: this.#waiting.length,
    }
  }

  /** Whether there is something to continue: an open question, or a turn that was cut off. */
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

  /** This conversation as the model sees it. */
  messages(): ModelMessage[] {
    return this.#history.messages()
  }

  /** Closes the conversation for good: it stays on the disk and is not continued. */
  async reset(): Promise<void> {
    for (const { id } of this.#waiting) await this.#options.hub.cancel(id, { reason: 'The conversation was reset' })
    this.#waiting = []
    await this.#withdrawUnreplied('The conversation was reset')
    this.#conversation.append({ type: 'closed' })
  }

  /** The model was asked back and did not reply: nobody would take the answer any more. */
  async #withdrawUnreplied(reason: string): Promise<void> {
    const { unreplied } = this.#history
    for (const id of unreplied) await this.#options.hub.cancel(id, { reason }).catch(ignoreDeleted)
    unreplied.clear()
  }

  close(): void {
    this.#subAgents.close()
    this.#conversation.close()
  }

  /** Tool calls, then the model, until there is nothing left to do or a person is needed. */
  async #rounds({
    wait,
    stopWaiting,
    signal: given,
    maxTurns = this.#options.maxTurns,
  }: TurnOptions): Promise<TurnResult> {
    const { run, toolChoice } = this.#options
    const history = this.#history
    const signal = AbortSignal.any([given, run?.stopped].filter(one => one !== undefined))
    for (let turn = 0; ; turn += 1) {
      this.#waiting = await this.#executeCalls(this.#toolContext(wait ? (stopWaiting ?? never) : null, signal))
      const [question] = this.#waiting
      if (question) return { status: 'waiting', needsInput: true, question, questions: this.#waiting }
      const text = history.lastText()
      if (signal.aborted) return { status: 'interrupted', needsInput: false, text }
      if (!history.isModelsTurn()) {
        await this.#withdrawUnreplied('The agent went on without the answer')
        return { status: 'done', needsInput: false, text }
      }
      if (turn >= maxTurns) return { status: 'limit', needsInput: false, text }
      await run?.waitWhilePaused(signal)
      await this.#window.makeRoom(signal)
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
      // The model reads less than the limit says.
      if (!isTooLong(error) || !(await this.#window.compact(signal))) throw error
      return askModel(asking)
    })
    this.#conversation.append({
      ...{ type: 'assistant', content, model: model.id, usage },
      ...(interrupted ? { interrupted } : {}),
    })
    this.#emit({ type: 'reply', text: content.length > 0 ? history.lastText() : '', usage })
  }

  /** Brings every open call of the last reply to its result; returns the requests that a person must answer first. */
  async #executeCalls(context: ToolContext): Promise<Request[]> {
    for (const group of groupCalls(this.#history.openCalls(), context.toolOf)) {
      const ends = await Promise.allSettled(group.map(call => executeCall(context, call)))
      const rejected = ends.find(end => end.status === 'rejected')
      if (rejected) throw rejected.reason
      const waiting = ends.flatMap(end => (end.status === 'fulfilled' ? end.value : []))
      if (waiting.length > 0) return waiting
    }
    return []
  }

  #toolContext(stopWaiting: AbortSignal | null, signal: AbortSignal): ToolContext {
    const { hub, run = null, cwd, env = process.env, home, path, now } = this.#options
    const { id, folder } = this.#conversation
    const tools = this.#tools
    return {
      asking: {
        ...{ hub, run: run?.id ?? null, conversation: id, path, cwd, stopWaiting, signal, now },
        lastReply: () => this.#history.lastReply(),
      },
      workspace: {
        cwd,
        home,
        env: { ...env, ...(run ? { BECKON_RUN: run.id } : {}) },
        readable: [folder],
        hmac: this.#hmac,
      },
      folder,
      failures: this.#failures,
      toolOf: name => tools.get(name),
      toolNames: () => [...tools.keys()],
      append: entry => this.#conversation.append(entry),
      emit: event => this.#emit(event),
      delegate: (call, task) => this.#subAgents.runTurn(call, task, turnOptions(stopWaiting, signal)),
      waitWhilePaused: async () => run?.waitWhilePaused(signal),
    }
  }

  /** After a start: confirms answers and messages that a crash left unconfirmed, and finds the questions that are still open. */
  async #resume(): Promise<void> {
    const { hub } = this.#options
    for (const id of this.#history.delivered.slice(-10)) {
      const request = await hub.get(id)
      if (request.deliveredAt === null && request.status !== 'pending') await hub.confirmDelivery(id)
    }
    for (const { request, message } of this.#history.askedBack.slice(-10)) {
      await hub.messages.confirm(request, message).catch(ignoreDeleted)
    }
    for (const call of this.#history.openCalls()) {
      if (call.request !== null) {
        const request = await hub.get(call.request)
        if (request.status === 'pending') this.#waiting.push(request)
      } else if (this.#tools.get(call.tool)?.kind === 'delegate') {
        const { name = 'agent' } = call.input as { name?: string }
        this.#waiting.push(...(await this.#subAgents.open(call, name)).getPendingQuestions())
      }
    }
  }

  get #history() {
    return this.#conversation.history
  }

  #emit(event: EventWithoutPath): void {
    this.#options.onEvent?.({ ...event, path: this.#options.path } as AgentEvent)
  }
}

const never = new AbortController().signal

/** It was settled, and deleted since. */
function ignoreDeleted(error: unknown): void {
  if (!(error instanceof BeckonError) || error.code !== 'not_found') throw error
}

/** A sub-agent waits as long as its parent. */
function turnOptions(stopWaiting: AbortSignal | null, signal: AbortSignal): TurnOptions {
  return stopWaiting === null ? { signal } : { wait: true, stopWaiting, signal }
}
