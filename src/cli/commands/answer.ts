import { type Command, Option } from 'commander'
import type { AnswerInput, QuestionAnswer } from '../../protocol/answer.ts'
import { BeckonError, invalid } from '../../protocol/errors.ts'
import type { HubApi, Settlement } from '../../protocol/hub.ts'
import { limits } from '../../protocol/limits.ts'
import type { ApprovalRequest, Request } from '../../protocol/request.ts'
import { type RuleScope, ruleScopes } from '../../protocol/rule.ts'
import { secretTypes } from '../../protocol/status.ts'
import { alwaysLabels, questionsOf } from '../../rules/questions.ts'
import { harmlessTitle } from '../../text/harmless.ts'
import { addSettlingOptions, type SettlingOptions, settleRequest } from '../answering/settle.ts'
import { promptInTerminal } from '../asking/prompt-in-terminal.ts'
import type { Context } from '../context.ts'
import { interruption } from '../interruption.ts'
import { SettledOtherwise } from '../output/errors.ts'
import { answeringExitCodes } from '../output/exit-codes.ts'
import { readText } from '../read-text.ts'

interface AnswerOptions extends SettlingOptions {
  answer?: string[]
  from?: string
  upload?: string
  text?: string
  edit?: string
  always?: RuleScope
  plain?: boolean
  /** The name, or true for the usual one. */
  keep?: string | true
  keepEverywhere?: boolean
}

export function registerAnswer(program: Command, context: Context): void {
  const command = program
    .command('answer')
    .summary('answer a request')
    .description('Answers a request. The first answer wins; the same one again is fine.')
    .argument('<id>', 'the request')
    .argument('[value...]', "an option's label or number, or the text itself where there are no options")
    .option('--answer <question=value>', 'the answer to one of several questions, such as q1=yes; repeat it', collect)
    .option('--from <file>', 'the value from a file, or - for stdin: the way for secrets and long texts')
    .option('--upload <file>', 'where a file is asked for: a copy of this one, or of stdin for -')
    .option('--text <text>', 'text of your own beside the options')
    .option('--edit <command>', 'yes to this command instead of the proposed one')
    .addOption(
      new Option('--always <scope>', 'with yes: allow it from now on, as the request offers it').choices(ruleScopes),
    )
    .option('--plain', 'without a value: ask in plain lines, also where somebody types into a pipe')
    .option('--keep [name]', 'keep the value of a dependency: later asks for it in the same directory get it')
    .option('--keep-everywhere', 'keep it for every directory')
  addSettlingOptions(command)
    .addHelpText('after', help)
    .action(async (id: string, values: string[], options: AnswerOptions) => {
      context.exitCode = await answer(context, id, values, options)
    })
}

async function answer(context: Context, id: string, values: string[], options: AnswerOptions): Promise<number> {
  refuseContradiction(values, options)
  if (options.edit !== undefined || options.always !== undefined) return approveOtherwise(context, id, values, options)
  const answers = readAnswers(options.answer ?? [])
  const given = values.length > 0 || answers.length > 0 || options.text !== undefined
  const named = options.from ?? options.upload
  if (!given && named === undefined && !context.isTerminal && !options.plain) throw nothingGiven()

  return settleRequest(context, id, options, async (hub, request) => {
    if (isSecret(request) && (given || (options.from === '-' && context.stdin.isTTY))) throw secretInTheOpen(id)
    if (options.upload !== undefined) return answerWithFile(context, hub, request, options.upload, options.note)
    const keep = keepOf(options)
    if (!given && options.from === undefined) return answerHere(context, keepingHub(hub, keep), request, options)
    const chosen = options.from === undefined ? values : [await readValue(context, options.from)]
    return hub.answer(id, { ...inputOf(chosen, answers, options.text), note: options.note ?? null, keep })
  })
}

/** A yes that is more than a yes: to another command, or from now on. */
function approveOtherwise(context: Context, id: string, values: string[], options: AnswerOptions): Promise<number> {
  const { edit, always, note = null } = options
  const isYes = values.length === 0 || (values.length === 1 && values[0] === 'yes')
  if (!isYes || options.answer || options.from !== undefined || options.text !== undefined || (edit && always)) {
    throw invalid([{ path: edit === undefined ? 'always' : 'edit', message: 'goes with yes, and with nothing else' }])
  }
  return settleRequest(context, id, options, async (hub, request) => {
    if (request.kind !== 'approval') throw invalid([{ path: 'id', message: `${id} is no approval` }])
    if (always !== undefined) {
      const [question] = questionsOf(request)
      const offered = question?.options.find(({ label }) => label === alwaysLabels[always])
      if (!offered) throw notOffered(id)
      context.stderr.write(`beckon: from now on: ${harmlessTitle(offered.description)}\n`)
      return hub.answer(id, { value: alwaysLabels[always], note })
    }
    return approveEdited(context, hub, request, edit ?? '', note)
  })
}

async function approveEdited(
  { env, stderr }: Context,
  hub: HubApi,
  { id, action }: ApprovalRequest,
  edited: string,
  note: string | null,
): Promise<Settlement> {
  if (edited.trim() === '') throw invalid([{ path: '--edit', message: 'is empty' }])
  const { checkEdit, describeReasons, judgeEdit } = await import('../../approval/edit.ts')
  const verdict = await judgeEdit(hub, edited, { cwd: action.cwd, env })
  checkEdit(verdict, 'cli', '--edit')
  if (verdict.verdict === 'ask') stderr.write(`beckon: your version: ${describeReasons(verdict.reasons)}\n`)
  return hub.answer(id, { value: 'yes', edited, note })
}

/** No value was given, and there is a terminal: the person is asked for it. */
async function answerHere(
  context: Context,
  hub: HubApi,
  request: Request,
  options: AnswerOptions,
): Promise<Settlement> {
  if (request.status !== 'pending') throw new SettledOtherwise(request)
  if (options.note !== undefined) throw invalid([{ path: 'note', message: 'goes with a VALUE, not with the prompt' }])
  const interrupted = interruption()
  const settlement = await promptInTerminal(context, hub, request, {
    signal: interrupted.signal,
    plain: options.plain,
  }).finally(interrupted.release)
  if (settlement) return settlement
  throw new BeckonError('invalid', `Nothing was answered; ${request.id} stays open.`)
}

/** The file is there before the agent is told of it, and gone if it is not told. */
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

/** The prompt knows nothing of it: what is answered there is kept, too. */
function keepingHub(hub: HubApi, keep: NonNullable<AnswerInput['keep']>): HubApi {
  return keep === false ? hub : { ...hub, answer: (id, input) => hub.answer(id, { ...input, keep }) }
}

function inputOf(values: string[], answers: QuestionAnswer[], text: string | undefined): AnswerInput {
  const value = values.length > 0 ? { value: oneOrMore(values) } : {}
  if (text !== undefined) return { answers: [...answers, { ...value, text }] }
  return { ...value, ...(answers.length > 0 ? { answers } : {}) }
}

/** `q1=VALUE`; the same question several times is several values. */
function readAnswers(sources: readonly string[]): QuestionAnswer[] {
  const values = new Map<string, string[]>()
  for (const source of sources) {
    const split = source.indexOf('=')
    if (split <= 0) throw invalid([{ path: 'answer', message: 'is written QUESTION=VALUE, such as q1=yes' }])
    const id = source.slice(0, split)
    values.set(id, [...(values.get(id) ?? []), source.slice(split + 1)])
  }
  return [...values].map(([id, chosen]) => ({ id, value: oneOrMore(chosen) }))
}

function oneOrMore(values: string[]): string | string[] {
  return values.length === 1 ? (values[0] ?? '') : values
}

/** Editors and echo end a file with a newline that is no part of a value. */
async function readValue(context: Context, file: string): Promise<string> {
  return (await readText(context, file, 'from', limits.text)).replace(/\r?\n$/, '')
}

function refuseContradiction(values: string[], options: AnswerOptions): void {
  const { answer, from, upload, text, keep, keepEverywhere } = options
  if (upload !== undefined && (keep !== undefined || keepEverywhere)) {
    throw invalid([{ path: 'keep', message: 'an uploaded file goes with its run, and is not kept' }])
  }
  if (from === undefined && upload === undefined) return
  if (values.length === 0 && !answer && text === undefined && (from === undefined || upload === undefined)) return
  const path = from === undefined ? 'upload' : 'from'
  throw invalid([{ path, message: 'is the value already; give it or VALUE, --answer and --text, not both' }])
}

function isSecret(request: Request): boolean {
  return request.kind === 'dependency' && secretTypes.includes(request.type)
}

function secretInTheOpen(id: string): BeckonError {
  return invalid([
    {
      path: 'value',
      message: `is a secret, and others could read it there. Run: beckon answer ${id} (it asks, hidden), or give it by --from FILE, or by a pipe to --from -`,
    },
  ])
}

function notOffered(id: string): BeckonError {
  return invalid([
    { path: 'always', message: `is not offered for ${id}: it is looked at every time. Answer yes, or no` },
  ])
}

function nothingGiven(): BeckonError {
  return invalid([{ path: 'value', message: 'is missing; give a VALUE, --answer, --text or --from' }])
}

function collect(value: string, earlier: string[] = []): string[] {
  return [...earlier, value]
}

const help = `
Without a value, on a terminal, it asks for one; secrets are not shown while you type.
Approvals are answered with yes or no, reviews with approve, or with changes and --text.

Examples:
  beckon answer req_01jz… yes
  beckon answer req_01jz… 1 3                        several, where several may be chosen
  beckon answer req_01jz… --text "neither, wait"     where text of your own is allowed
  beckon answer req_01jz… --answer q1=yes --answer q2=SQLite
  beckon answer req_01jz… yes --always exact         no more questions about exactly this
  beckon answer req_01jz… --edit 'rm -rf build'      yes, but to this command
  pass show stripe | beckon answer req_01jz… --from -
  beckon answer req_01jz… --upload ~/schema.sql      a copy of it, for an agent that asks for a file
  beckon answer req_01jz… --from key.txt --keep      and you are not asked for it here again; see: beckon kept
${answeringExitCodes}`
