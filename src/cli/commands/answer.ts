import { type Command, Option } from 'commander'
import type { AnswerInput, QuestionAnswer } from '../../protocol/answer.ts'
import { BeckonError, invalid } from '../../protocol/errors.ts'
import type { HubApi, Settlement } from '../../protocol/hub.ts'
import { limits } from '../../protocol/limits.ts'
import type { ApprovalRequest, Request } from '../../protocol/request.ts'
import { type RuleScope, ruleScopes } from '../../protocol/rule.ts'
import { secretTypes } from '../../protocol/status.ts'
import { readEdit } from '../../rules/action-text.ts'
import { alwaysLabels, questionsOf } from '../../rules/questions.ts'
import { harmlessTitle } from '../../text/harmless.ts'
import { addSettlingOptions, type SettlingOptions, settleRequest } from '../answering/settle.ts'
import { promptInTerminal } from '../asking/prompt-in-terminal.ts'
import type { Context } from '../context.ts'
import { readDuration } from '../durations.ts'
import { interruption } from '../interruption.ts'
import { SettledOtherwise } from '../output/errors.ts'
import { answeringExitCodes } from '../output/exit-codes.ts'
import { readText } from '../read-text.ts'
import { repeatable } from '../repeatable.ts'
import { IdArgument } from '../short-ids/arguments.ts'

interface AnswerOptions extends SettlingOptions {
  answer?: string[]
  from?: string
  upload?: string
  text?: string
  edit?: string
  always?: RuleScope | 'answer'
  expires?: string
  plain?: boolean
  /** The name, or true for the usual one. */
  keep?: string | true
  keepEverywhere?: boolean
}

export function registerAnswer(program: Command, context: Context): void {
  const command = program
    .command('answer')
    .summary('Answer a request')
    .description('Answers a request. The first answer wins; repeating the same answer is fine.')
    .addArgument(new IdArgument('[id]', 'the id of the request, or its end; without it, on a terminal, you pick one'))
    .argument('[value...]', "an option's label or number, or the text itself where there are no options")
    .option(
      '--answer <question=value>',
      'the answer to one of several questions, such as q1=yes (repeatable)',
      repeatable,
    )
    .option('--from <file>', 'read the value from a file, or from stdin with -; for secrets and long texts')
    .option('--upload <file>', 'give the agent a copy of this file, or of stdin with -')
    .option('--text <text>', 'text of your own, besides the options')
    .option('--edit <command>', 'approve this command instead of the proposed one')
    .addOption(
      new Option(
        '--always <scope>',
        'with yes: also allow it from now on; "answer": answer the same question so from now on',
      ).choices([...ruleScopes, 'answer']),
    )
    .option('--expires <duration>', 'with --always answer: how long, such as 8h or 90d; 30d by default')
    .option('--plain', 'without a value: prompt in plain lines, also when stdin is a pipe')
    .option('--keep [name]', 'keep the value for later requests in the same directory')
    .option('--keep-everywhere', 'keep the value for every directory')
  addSettlingOptions(command)
    .addHelpText('after', help)
    .action(async (id: string, values: string[], options: AnswerOptions) => {
      context.exitCode = await answer(context, id, values, options)
    })
}

async function answer(context: Context, id: string, values: string[], options: AnswerOptions): Promise<number> {
  refuseContradiction(values, options)
  const always = await alwaysOf(options)
  if (options.edit !== undefined || (options.always !== undefined && !always))
    return approveWithChange(context, id, values, options)
  const answers = readAnswers(options.answer ?? [])
  const given = values.length > 0 || answers.length > 0 || options.text !== undefined
  const named = options.from ?? options.upload
  if (!given && named === undefined && !context.isTerminal && !options.plain) throw nothingGiven()

  return settleRequest(context, id, options, async (hub, request) => {
    if (isSecret(request) && (given || (options.from === '-' && context.stdin.isTTY))) throw visibleSecret(id)
    if (options.upload !== undefined) return answerWithFile(context, hub, request, options.upload, options.note)
    const keep = keepOf(options)
    if (!given && options.from === undefined)
      return answerInTerminal(context, amendingHub(hub, { keep, ...always }), request, options)
    const chosen = options.from === undefined ? values : [await readValue(context, options.from)]
    return hub.answer(id, { ...inputOf(chosen, answers, options.text), note: options.note ?? null, keep, ...always })
  })
}

/** Approves another command than the proposed one, or the proposed one from now on. */
function approveWithChange(context: Context, id: string, values: string[], options: AnswerOptions): Promise<number> {
  const { edit, always, note = null } = options
  const isYes = values.length === 0 || (values.length === 1 && values[0] === 'yes')
  if (!isYes || options.answer || options.from !== undefined || options.text !== undefined || (edit && always)) {
    throw invalid([{ path: edit === undefined ? 'always' : 'edit', message: 'goes with yes and nothing else' }])
  }
  return settleRequest(context, id, options, async (hub, request) => {
    if (request.kind !== 'approval')
      throw invalid([{ path: 'id', message: `${id} is a ${request.kind}, not an approval` }])
    if (always !== undefined && always !== 'answer') {
      const [question] = questionsOf(request)
      const offered = question?.options.find(({ label }) => label === alwaysLabels[always])
      if (!offered) throw notOffered(id)
      context.stderr.write(`beckon: From now on: ${harmlessTitle(offered.description)}\n`)
      return hub.answer(id, { value: alwaysLabels[always], note })
    }
    return approveEdited(hub, request, edit ?? '', note)
  })
}

/** The hub judges it like any other: what the guard refuses stays refused. */
async function approveEdited(
  hub: HubApi,
  { id, action }: ApprovalRequest,
  text: string,
  note: string | null,
): Promise<Settlement> {
  if (text.trim() === '') throw invalid([{ path: 'edit', message: 'is empty' }])
  const edited = readEdit(action, text)
  if (!edited) throw invalid([{ path: 'edit', message: 'must be the input of the tool, as JSON' }])
  return hub.answer(id, { value: 'yes', edited, note })
}

/** Without a value, on a terminal, prompts the person for it. */
async function answerInTerminal(
  context: Context,
  hub: HubApi,
  request: Request,
  options: AnswerOptions,
): Promise<Settlement & { told: true }> {
  if (request.status !== 'pending') throw new SettledOtherwise(request)
  if (options.note !== undefined) throw invalid([{ path: 'note', message: 'goes with a VALUE, not with the prompt' }])
  const interrupted = interruption()
  const settlement = await promptInTerminal(context, hub, request, {
    signal: interrupted.signal,
    plain: options.plain,
  }).finally(interrupted.release)
  if (settlement) return { ...settlement, told: true }
  throw new BeckonError('invalid', `No answer was given; ${request.id} stays open.`)
}

/** The file is in place before the answer is; where the answer is refused, the file is removed again. */
async function answerWithFile(context: Context, hub: HubApi, request: Request, source: string, note?: string) {
  const { upload } = await import('../answering/upload.ts')
  const { path, discard } = await upload(context, hub, request, source)
  try {
    const settlement = await hub.answer(request.id, { value: path, note: note ?? null })
    if (!settlement.won) await discard()
    return settlement
  } catch (error) {
    await discard()
    throw error
  }
}

function keepOf({ keep, keepEverywhere }: AnswerOptions): NonNullable<AnswerInput['keep']> {
  if (keep === undefined && !keepEverywhere) return false
  return { ...(typeof keep === 'string' ? { name: keep } : {}), everywhere: keepEverywhere ?? false }
}

/** The prompt has no notion of keeping values or making rules: the hub that it answers to adds it. */
function amendingHub(hub: HubApi, more: Pick<AnswerInput, 'keep' | 'always'>): HubApi {
  if (more.keep === false && !more.always) return hub
  return { ...hub, answer: (id, input) => hub.answer(id, { ...input, ...more }) }
}

/** What `--always answer` adds; null without it. */
async function alwaysOf({ always, expires }: AnswerOptions): Promise<Pick<AnswerInput, 'always'> | null> {
  if (always === 'answer')
    return { always: expires === undefined ? {} : { expires: await readDuration(expires, '--expires') } }
  if (expires !== undefined) throw invalid([{ path: 'expires', message: 'goes with --always answer' }])
  return null
}

function inputOf(values: string[], answers: QuestionAnswer[], text: string | undefined): AnswerInput {
  return {
    ...(values.length > 0 ? { value: oneOrMore(values) } : {}),
    ...(text === undefined ? {} : { text }),
    ...(answers.length > 0 ? { answers } : {}),
  }
}

/** `q1=VALUE`; the same question several times is several values. */
function readAnswers(sources: readonly string[]): QuestionAnswer[] {
  const values = new Map<string, string[]>()
  for (const source of sources) {
    const split = source.indexOf('=')
    if (split <= 0) throw malformedAnswer()
    const id = source.slice(0, split)
    values.set(id, [...(values.get(id) ?? []), source.slice(split + 1)])
  }
  return [...values].map(([id, chosen]) => ({ id, value: oneOrMore(chosen) }))
}

function malformedAnswer(): BeckonError {
  const message = 'must be QUESTION=VALUE, such as q1=yes'
  return new BeckonError('invalid', `--answer ${message}.`, [{ path: 'answer', message }])
}

function oneOrMore(values: string[]): string | string[] {
  return values.length === 1 ? (values[0] ?? '') : values
}

/** Editors and echo end a file with a newline that is not part of the value. */
async function readValue(context: Context, file: string): Promise<string> {
  return (await readText(context, file, 'from', limits.text)).replace(/\r?\n$/, '')
}

function refuseContradiction(values: string[], options: AnswerOptions): void {
  const { answer, from, upload, text, keep, keepEverywhere } = options
  if (upload !== undefined && (keep !== undefined || keepEverywhere)) {
    throw invalid([{ path: 'keep', message: 'cannot keep an uploaded file: it is removed with its run' }])
  }
  if (from === undefined && upload === undefined) return
  if (values.length === 0 && !answer && text === undefined && (from === undefined || upload === undefined)) return
  const path = from === undefined ? 'upload' : 'from'
  throw invalid([{ path, message: 'gives the value; leave out VALUE, --answer, --text and other files' }])
}

function isSecret(request: Request): boolean {
  return request.kind === 'dependency' && secretTypes.includes(request.type)
}

function visibleSecret(id: string): BeckonError {
  return invalid([
    {
      path: 'value',
      message: `is a secret, and others could read it there. Run "beckon answer ${id}" for a hidden prompt, or use --from FILE, or a pipe and --from -`,
    },
  ])
}

function notOffered(id: string): BeckonError {
  return invalid([
    { path: 'always', message: `is not offered for ${id}: a person must look at it every time. Answer yes or no` },
  ])
}

function nothingGiven(): BeckonError {
  return invalid([{ path: 'value', message: 'is missing; give VALUE, --answer, --text or --from' }])
}

const help = `
Without a value, on a terminal, it prompts for one; secrets stay hidden while you type.
Answer an approval with yes, or with no and --text REASON; a review with approve, or with changes and --text.

Examples:
  beckon answer req_01jz… yes
  beckon answer req_01jz… 1 3                        several, where several may be chosen
  beckon answer req_01jz… --text "neither, wait"     where text of your own is allowed
  beckon answer req_01jz… --answer q1=yes --answer q2=SQLite
  beckon answer req_01jz… yes --always exact         do not ask about exactly this again
  beckon answer req_01jz… SQLite --always answer     answer the same question so from now on
  beckon answer req_01jz… --edit 'rm -rf build'      approve this command instead
  pass show stripe | beckon answer req_01jz… --from -
  beckon answer req_01jz… --upload ~/schema.sql      give a copy of the file to the agent
  beckon answer req_01jz… --from key.txt --keep      and keep it; see: beckon kept
${answeringExitCodes}`
