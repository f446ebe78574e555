import '../system/node-version.ts'
import * as z from 'zod'
import type { Json } from '../protocol/canonical-json.ts'
import { BeckonError } from '../protocol/errors.ts'
import type { HubApi } from '../protocol/hub.ts'
import { type Decision, decide, decideAndSpend } from './shared/approvals.ts'
import { type Asking, type AskingOptions, asking, keyOf, shortName } from './shared/asking.ts'
import { type Answer, askQuestions, type QuestionAsk } from './shared/questions.ts'

// Interrupts of LangGraph: a graph with a checkpointer stops, several of its tasks perhaps, and goes on when each gets a
// value by the id of its interrupt. The types are the parts of LangGraph that are used here, so that no version of it is
// required.

export type { Answer, AskingOptions }

const framework = 'langgraph'

interface Interrupt {
  readonly id?: string | undefined
  readonly value?: unknown
}

interface Result {
  readonly __interrupt__?: readonly Interrupt[]
}

interface Snapshot {
  readonly next: readonly string[]
  readonly tasks: readonly { readonly interrupts: readonly Interrupt[] }[]
}

/** What `humanInTheLoopMiddleware` expects. */
export interface Decisions {
  decisions: (
    | { type: 'approve' }
    | { type: 'edit'; editedAction: { name: string; args: Record<string, unknown> } }
    | { type: 'reject'; message: string }
  )[]
}

export interface Resume {
  resume: Record<string, Answer | Decisions>
}

/**
 * Takes what `invoke` or `getState` returned. Asks people about every interrupt at once, and returns what to go on with: `new Command(await answerInterrupts(…))`. Null
 * where nothing is interrupted. As long as the graph says that it is interrupted, it gets the same answers again.
 */
export async function answerInterrupts(
  hub: HubApi,
  interrupted: object,
  options: AskingOptions,
): Promise<Resume | null> {
  const conversation = asking(hub, options, framework)
  const interrupts = interruptsOf(interrupted)
  if (interrupts.length === 0) return null
  const answers = await Promise.all(
    interrupts.map(async ({ id, value }) => [id, await answerOf(conversation, id, value)] as const),
  )
  return { resume: Object.fromEntries(answers) }
}

function interruptsOf(interrupted: object): { id: string; value: unknown }[] {
  return foundIn(interrupted).map(({ id, value }) => {
    if (id === undefined) throw new BeckonError('invalid', 'An interrupt has no id. Give the graph a checkpointer.')
    return { id, value }
  })
}

/** A graph may have a state of its own that is called `tasks`: only with `next` beside it, it is what `getState` returned. */
function foundIn(interrupted: Result & Partial<Snapshot>): readonly Interrupt[] {
  if (interrupted.__interrupt__) return interrupted.__interrupt__
  const { tasks, next } = interrupted
  return tasks && next ? tasks.flatMap(({ interrupts }) => interrupts) : []
}

async function answerOf(conversation: Asking, id: string, value: unknown): Promise<Answer | Decisions> {
  const review = toolReview.safeParse(value)
  if (!review.success) return askQuestions(conversation, questionOf(value), keyOf(conversation, id))
  return reviewTools(conversation, id, review.data.actionRequests)
}

async function reviewTools(conversation: Asking, id: string, actions: readonly Action[]): Promise<Decisions> {
  const calls = actions.map(({ name, args, description: context = null }, index) => {
    const call = { id: `${id}/${index}`, tool: name, input: args as Json, context }
    // As long as the graph waits at this interrupt, nothing has run by this yes: handing it over again is a replay.
    return { call, nonce: shortName(keyOf(conversation, call.id)) }
  })
  const decided = await Promise.all(calls.map(({ call, nonce }) => decide(conversation, call, nonce)))
  // After one no the middleware runs none of the calls, but lets the model call again: then no yes is spent.
  const isRun = decided.every(({ approved }) => approved)
  const final = isRun
    ? await Promise.all(calls.map(({ call, nonce }) => decideAndSpend(conversation, call, nonce)))
    : decided
  return { decisions: final.map((decision, index) => decisionFor(calls[index]?.call.tool ?? '', decision)) }
}

const action = z.object({
  name: z.string(),
  args: z.record(z.string(), z.unknown()),
  description: z.string().optional(),
})
type Action = z.output<typeof action>

// LangChain for JavaScript and for Python spell it differently.
const toolReview = z.union([
  z.object({ actionRequests: z.array(action).min(1) }),
  z
    .object({ action_requests: z.array(action).min(1) })
    .transform(({ action_requests }) => ({ actionRequests: action_requests })),
])

function decisionFor(name: string, decision: Decision): Decisions['decisions'][number] {
  if (!decision.approved) return { type: 'reject', message: decision.message }
  if (decision.edited === undefined) return { type: 'approve' }
  return { type: 'edit', editedAction: { name, args: decision.edited as Record<string, unknown> } }
}

const options = z
  .array(z.union([z.string(), z.object({ label: z.string(), description: z.string().optional() })]))
  .optional()
  .catch(undefined)
const question = z.object({
  question: z.string().trim().min(1),
  header: z.string().optional(),
  options,
  multiSelect: z.boolean().optional(),
  allowOther: z.boolean().optional(),
  default: z.union([z.string(), z.array(z.string())]).optional(),
})
const common = z.object({
  context: z.string().optional(),
  required: z.boolean().optional(),
  timeout: z.union([z.string(), z.number()]).optional(),
  onTimeout: z.enum(['default', 'fail', 'remind']).optional(),
})
const oneQuestion = question.extend(common.shape)
const severalQuestions = common.extend({ questions: z.array(question).min(1) })

/** A text is the question. Where the value has another shape, a person sees all of it, and answers in words. */
function questionOf(value: unknown): QuestionAsk {
  if (typeof value === 'string' && value.trim() !== '') return { questions: [{ question: value }] }
  const several = severalQuestions.safeParse(value)
  if (several.success) return defined(several.data) as QuestionAsk
  const one = oneQuestion.safeParse(value)
  if (one.success) {
    const { context, required, timeout, onTimeout, ...asked } = one.data
    return defined({ questions: [asked], context, required, timeout, onTimeout }) as QuestionAsk
  }
  const shown = JSON.stringify(value, null, 2) ?? 'nothing'
  return {
    questions: [{ question: 'The graph was interrupted and waits for an answer.' }],
    context: `It says:\n\n${indented(shown)}`,
  }
}

/** As code in Markdown, whatever it contains. */
function indented(text: string): string {
  return text.replace(/^/gm, '    ')
}

function defined(fields: object): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}
