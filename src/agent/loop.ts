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
import { confirmDeliveries } from './confirm-deliveries.ts'
import { type ContextPart, contextParts } from './context/parts.ts'
import { estimateTokens } from './context/tokens.ts'
import { ContextWindow } from './context/window.ts'
import { Conversation } from './conversation.ts'
import { ignoreDeleted } from './deleted.ts'
import type { AgentEvent, TurnResult } from './events.ts'
import { executeCall } from './execute-call.ts'
import { takeImages } from './images/store.ts'
import type { EntryOf, Usage } from './journal/entries.ts'
import { type RewindTarget, type Turn, turnsOf, undoOfLastRewind } from './journal/turns.ts'
import { readLastScreen } from './last-screen.ts'
import { ServerDecisions } from './mcp/decisions.ts'
import { McpServers } from './mcp/servers.ts'
import type { ChosenModel } from './model/choose.ts'
import { describeModelError, isTooLong } from './model/retry.ts'
import { type AgentOptions, type PersonMessage, stoppedByPerson, type TurnOptions } from './options.ts'
import type { ReadInstructions } from './project/instructions.ts'
import { SubAgents } from './sub-agents.ts'
import { SystemPrompt } from './system-prompt.ts'
import type { EventWithoutPath, ToolContext } from './tool-context.ts'
import { Toolbox, type ToolDescription } from './toolbox.ts'
import { allTools } from './tools/index.ts'
import type { Tool } from './tools/tool.ts'
import { TurnCheckpoints } from './turn-checkpoints.ts'

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
  readonly #tools: Toolbox
  readonly #servers: McpServers | null
  readonly #prompt: SystemPrompt
  readonly #window: ContextWindow
  readonly #subAgents: SubAgents
  readonly #checkpoints: TurnCheckpoints
  readonly #failures = new FailureCounter()
  readonly #channel: string | null
  #model: ChosenModel
  #waiting: Request[] = []
  #isBusy = false

  /** Opens a new conversation, or the one in `folder` with the questions that are open in it. */
  static async open(options: AgentOptions): Promise<AgentLoop> {
    const hmac = await loadKeyedHash({ home: options.home, env: options.env ?? process.env })
    const loop = new AgentLoop(options, hmac)
    if (options.plan) loop.setPlanning(true)
    loop.#refreshPrompt()
    await loop.#resume()
    return loop
  }

  private constructor(given: AgentOptions, hmac: KeyedHash) {
    this.#hmac = hmac
    const options = { ...defaults, ...given }
    this.#channel = readChannel(options.channel)
    const { mode, path, cwd, run } = options
    const all = mode === 'chat' ? [] : (options.tools ?? allTools(options.classify ?? askAlways))
    const tools = path.length >= maxDepth ? all.filter(({ kind }) => kind !== 'delegate') : all
    this.#options = options
    this.#model = options.model
    this.#tools = new Toolbox(tools)
    const { home, mcp = false, servers = null } = options
    const isFirst = mcp && mode === 'agent' && servers === null
    this.#servers = isFirst ? new McpServers(home, cwd, new ServerDecisions(home, hmac)) : servers
    this.#prompt = new SystemPrompt(options, () => this.isPlanning())
    this.#conversation = new Conversation({ ...options, run: run?.id ?? null, folder: options.folder })
    this.#window = new ContextWindow({
      conversation: this.#conversation,
      model: () => this.#model,
      limit: options.maxContextTokens,
      fixed: () => this.#prompt.tokens,
      emit: event => this.#emit(event),
    })
    this.#checkpoints = new TurnCheckpoints(this.#conversation, options.files ?? null, event => this.#emit(event))
    this.#subAgents = new SubAgents(AgentLoop.open, () => this.#optionsOfSubAgents(), this.#conversation)
  }

  #optionsOfSubAgents(): AgentOptions {
    // A model wrote what a sub-agent reads: it gets no image that a person did not send.
    const { plan: _, sendsImages: __, ...options } = this.#options
    const isParentPlanning = () => this.isPlanning()
    return { ...options, model: this.#model, servers: this.#servers, isParentPlanning }
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
      this.#refreshPrompt()
      if (text.trim() !== '') this.#hear({ text, shown: options.shown })
      this.#checkpoints.beginTurn()
      const result = await this.#rounds(options)
      if (result.status !== 'interrupted' || this.#isStoppedByPerson(options)) {
        this.#conversation.append({ type: 'ended', how: result.status })
      }
      return result
    } catch (error) {
      return { status: 'failed', needsInput: false, error: describeModelError(error) }
    } finally {
      await this.#checkpoints.taken()
      this.#isBusy = false
    }
  }

  #hear({ text: given, shown }: PersonMessage): void {
    const text = given.toWellFormed()
    const { sendsImages = false, cwd } = this.#options
    const { kept, taken } = sendsImages ? takeImages(text, cwd, this.folder) : { kept: [], taken: [] }
    if (taken.length > 0) this.#emit({ type: 'images', images: taken })
    this.#conversation.append({
      ...{ type: 'user', text },
      ...(shown === undefined || shown === text ? {} : { shown: shown.toWellFormed() }),
      ...(kept.length > 0 ? { images: kept } : {}),
    })
    this.#failures.reset()
  }

  async #hearQueued(messages: readonly (string | PersonMessage)[]): Promise<void> {
    if (messages.length === 0) return
    await this.#checkpoints.taken()
    for (const one of messages) this.#hear(typeof one === 'string' ? { text: one } : one)
    this.#checkpoints.beginTurn()
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

  /** Summarises now, with what the person wants to keep; false when there is nothing to summarise, or it was stopped. */
  async compact(signal: AbortSignal = new AbortController().signal, keep = ''): Promise<boolean> {
    return this.#history.openCalls().length === 0 && this.#window.compact(signal, keep)
  }

  /** What fills the context. */
  contextParts(): ContextPart[] {
    const { withoutProject: system, project } = this.#prompt
    const tools = JSON.stringify(this.#offered())
    return contextParts(this.#history, { system, project, tools, total: this.#window.tokens })
  }

  /** The model of the next reply. The journal remembers it. */
  setModel(model: ChosenModel): void {
    this.#model = model
    if (this.#history.model !== model.id) this.#conversation.append({ type: 'model', model: model.id })
  }

  /** The messages that the conversation can go back to, the oldest first. */
  turns(): Turn[] {
    return turnsOf(this.#conversation.entries)
  }

  /** What brings back the part that the last rewind cut off; null where there was none. */
  undoOfRewind(): RewindTarget | null {
    return undoOfLastRewind(this.#conversation.entries)
  }

  /** Restores the files of the checkpoint, and cuts the conversation back. What was cut off stays in the journal. */
  async rewind(target: RewindTarget): Promise<void> {
    if (this.#isBusy) throw new BeckonError('in_use', 'A turn is already running.')
    await this.#withdrawOpen('The conversation was rewound')
    await this.#checkpoints.rewind(target)
    this.#failures.reset()
  }

  status() {
    const { answers, files, models, total, isEstimated } = this.#history
    const usage = { ...total }
    this.#subAgents.addUsage(usage)
    return {
      model: this.#model.id,
      models: [...models],
      ...this.#window.size(),
      limit: this.#options.maxContextTokens,
      usage,
      isEstimated: isEstimated || this.#subAgents.isEstimated(),
      answers: answers.length,
      files: files.size,
      waiting: this.#waiting.length,
    }
  }

  /** Whether there is something to continue: an open question, or a turn that was cut off. */
  isUnfinished(): boolean {
    return this.#history.openCalls().length > 0 || this.#history.isModelsTurn()
  }

  /** Whether a person stopped it, and nothing is open: then only they set it going again. */
  isStopped(): boolean {
    return this.#history.isStopped && this.#history.openCalls().length === 0
  }

  isEmpty(): boolean {
    return this.#history.isEmpty()
  }

  /** In plan mode nothing is changed before a person approves a plan. */
  isPlanning(): boolean {
    return this.#history.isPlanning || (this.#options.isParentPlanning?.() ?? false)
  }

  setPlanning(on: boolean): void {
    if (this.#options.mode === 'chat' || this.#history.isPlanning === on) return
    this.#conversation.append({ type: 'plan', on })
    this.#emit({ type: 'planning', on })
  }

  /** What the model said last. */
  lastText(): string {
    return this.#history.lastText()
  }

  /** The files of instructions that the model gets with every request. */
  instructionFiles(): readonly ReadInstructions[] {
    return this.#prompt.files
  }

  /** The MCP servers of this conversation, and what became of them. */
  get servers(): McpServers | null {
    return this.#servers
  }

  /** What a person saw last. */
  lastScreen() {
    return readLastScreen(this.#conversation, this.#tools, this.#options.hub)
  }

  /** This conversation as the model sees it. */
  messages(): ModelMessage[] {
    return this.#history.messages()
  }

  /** Closes the conversation for good: it stays on the disk and is not continued. */
  async reset(): Promise<void> {
    await this.#withdrawOpen('The conversation was reset')
    this.#conversation.append({ type: 'closed' })
  }

  async #withdrawOpen(reason: string): Promise<void> {
    for (const { id } of this.#waiting) await this.#options.hub.cancel(id, { reason })
    this.#waiting = []
    await this.#withdrawUnreplied(reason)
  }

  /** The model was asked back and did not reply: nobody would take the answer any more. */
  async #withdrawUnreplied(reason: string): Promise<void> {
    const { unreplied } = this.#history
    for (const id of unreplied) await this.#options.hub.cancel(id, { reason }).catch(ignoreDeleted)
    unreplied.clear()
  }

  close(): void {
    this.#subAgents.close()
    if (this.#options.path.length === 1) this.#servers?.close()
    this.#conversation.close()
  }

  /** Tool calls, then the model, until there is nothing left to do or a person is needed. */
  async #rounds({
    wait,
    stopWaiting,
    signal: given,
    maxTurns = this.#options.maxTurns,
    takeMessages,
  }: TurnOptions): Promise<TurnResult> {
    const { run, toolChoice } = this.#options
    const history = this.#history
    const signal = AbortSignal.any([given, run?.stopped].filter(one => one !== undefined))
    const context = this.#toolContext(wait ? (stopWaiting ?? never) : null, signal)
    const unseen = await this.#startServers(context)
    for (let turn = 0; ; turn += 1) {
      this.#waiting = unseen.length > 0 ? [...unseen] : await this.#executeCalls(context)
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
      await this.#hearQueued(takeMessages?.() ?? [])
      await this.#window.makeRoom(signal)
      await this.#reply(toolChoice === 'first' && turn === 0 ? 'required' : 'auto', signal)
    }
  }

  #isStoppedByPerson({ signal }: TurnOptions): boolean {
    return signal?.reason === stoppedByPerson || (this.#options.run?.stopped.aborted ?? false)
  }

  /** Brings the tools of MCP servers. Returns the requests about servers that a person must see first. */
  async #startServers(context: ToolContext): Promise<readonly Request[]> {
    // A sub-agent has those of its parent, which run.
    const waiting = this.#options.path.length === 1 ? ((await this.#servers?.prepare(context)) ?? []) : []
    if (this.#tools.setFurther(this.#servers?.tools ?? [])) this.#prompt.count(this.#tools.descriptions)
    return waiting
  }

  async #reply(toolChoice: 'auto' | 'required', signal: AbortSignal): Promise<void> {
    const { sleep, onTraffic } = this.#options
    const model = this.#model
    const history = this.#history
    const asking = {
      ...{ history, signal, sleep, toolChoice, instructions: this.#prompt.text, tools: this.#offered() },
      model: await model.load(),
      emit: (event: EventWithoutPath) => this.#emit(event),
      traffic: onTraffic ? { model: model.id, log: onTraffic } : null,
    }
    const { content, usage, interrupted } = await askModel(asking).catch(async error => {
      // The model reads less than the limit says.
      if (!isTooLong(error) || !(await this.#window.compact(signal))) throw error
      return askModel(asking)
    })
    const isUncounted = interrupted && usage === null && content.length > 0
    this.#conversation.append({
      ...{ type: 'assistant', content, model: model.id, usage },
      ...(interrupted ? { interrupted } : {}),
      ...(isUncounted ? { estimated: this.#estimate(content) } : {}),
    })
    this.#emit({ type: 'reply', text: content.length > 0 ? history.lastText() : '', usage })
  }

  /** What a reply took that is not in the journal yet. */
  #estimate(content: EntryOf<'assistant'>['content']): Usage {
    const output = estimateTokens(content.map(({ text }) => String(text ?? '')).join(''))
    return { input: this.#window.tokens, output, cacheRead: 0, cacheWrite: 0 }
  }

  /** Brings every open call of the last reply to its result; returns the requests that a person must answer first. */
  async #executeCalls(context: ToolContext): Promise<Request[]> {
    for (const group of groupCalls(this.#history.openCalls(), context.toolOf)) {
      if (group.some(({ tool }) => mayChange(context.toolOf(tool)))) await this.#checkpoints.taken()
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
      toolNames: () => tools.names(),
      append: entry => this.#conversation.append(entry),
      emit: event => this.#emit(event),
      isPlanning: () => this.isPlanning(),
      delegate: (call, task) => this.#subAgents.runTurn(call, task, turnOptions(stopWaiting, signal)),
      waitWhilePaused: async () => run?.waitWhilePaused(signal),
    }
  }

  /** After a start: finishes what a crash cut off, and finds the questions that are still open. */
  async #resume(): Promise<void> {
    const { hub } = this.#options
    await this.#checkpoints.finishRewind()
    await confirmDeliveries(hub, this.#history)
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

  #refreshPrompt(): void {
    this.#prompt.refresh(this.#tools.descriptions, event => this.#emit(event))
  }

  /** A plan is presented only where one is wanted, and by the agent that talks with the user. */
  #offered(): readonly ToolDescription[] {
    const isWanted = this.#history.isPlanning
    return this.#tools.descriptions.filter(({ name }) => isWanted || this.#tools.get(name)?.kind !== 'plan')
  }

  get #history() {
    return this.#conversation.history
  }

  #emit(event: EventWithoutPath): void {
    this.#options.onEvent?.({ ...event, path: this.#options.path } as AgentEvent)
  }
}

function mayChange(tool: Tool | undefined): boolean {
  return tool?.kind === 'delegate' || (tool?.kind === 'work' && tool.effect === 'once')
}

const never = new AbortController().signal

/** A sub-agent waits as long as its parent. */
function turnOptions(stopWaiting: AbortSignal | null, signal: AbortSignal): TurnOptions {
  return stopWaiting === null ? { signal } : { wait: true, stopWaiting, signal }
}
