import type { Command } from 'commander'
import type { Message } from '../../protocol/message.ts'
import type { Question, Request } from '../../protocol/request.ts'
import { editText } from '../../rules/action-text.ts'
import { dueText } from '../../terminal/due-text.ts'
import { fileText } from '../../text/file-text.ts'
import { harmless, harmlessLines, harmlessTitle } from '../../text/harmless.ts'
import { pad } from '../../text/width.ts'
import type { Context } from '../context.ts'
import { exitCodes } from '../output/exit-codes.ts'
import { valuesOf } from '../output/outcome-document.ts'
import { print } from '../output/print.ts'
import { printJson } from '../output/print-json.ts'
import { lookAfterRuns } from '../run/look-after.ts'
import { IdArgument } from '../short-ids/arguments.ts'
import { saveFiles } from '../show/save-files.ts'
import { withHub } from '../with-hub.ts'

export function registerShow(program: Command, context: Context): void {
  program
    .command('show')
    .summary('Show everything about a request')
    .description('Shows everything about one request, except secrets.')
    .addArgument(new IdArgument('[id]', 'the id of the request, or its end; without it, on a terminal, you pick one'))
    .option('--save <folder>', 'save its files in this folder')
    .option('--json', 'print the request as one JSON document')
    .addHelpText(
      'after',
      '\nExamples:\n  beckon show req_01jz…\n  beckon show req_01jz… --json | jq .outcome\n  beckon show req_01jz… --save .',
    )
    .action(async (id: string, options: ShowOptions) => {
      context.exitCode = await show(context, id, options)
    })
}

interface ShowOptions {
  json?: boolean
  save?: string
}

function show(context: Context, id: string, { json = false, save }: ShowOptions): Promise<number> {
  return withHub(context, async hub => {
    await lookAfterRuns(context, hub)
    const request = await hub.get(id)
    if (save !== undefined) await saveFiles(context, hub, request, save)
    await (json ? printJson(context.stdout, request) : print(context.stdout, formatRequest(request, context.now())))
    return exitCodes.fine
  })
}

type Field = [name: string, value: string | null]

/** Each field on its own line, long texts below their name; empty fields are left out. */
function formatRequest(request: Request, now: number): string {
  const { agent, outcome } = request
  const fields: Field[] = [
    ['id', request.id],
    ['kind', request.kind],
    ['status', request.status],
    ['required', request.required ? 'yes' : 'no'],
    ['run', request.run],
    ['agent', [agent.name, ...agent.path].map(harmlessTitle).join(' > ')],
    ['directory', harmless(agent.cwd)],
    ['session', request.session ? harmlessTitle(request.session) : null],
    ['key', request.key],
    ...fieldsOfKind(request),
    ['context', request.context],
    ['attached', request.attachments.map(describeFile).join('\n')],
    ['', request.attachments.length > 0 ? `Save them: beckon show ${request.id} --save FOLDER` : null],
    ['deadline', request.deadline && `${request.deadline}, then: ${request.onTimeout}`],
    ['due', dueText(request, now)],
    ['created', request.createdAt],
    ['settled', request.settledAt],
    ['delivered', request.deliveredAt],
    ['used', request.usedAt],
    ['messages', request.messages.map(formatMessage).join('\n') || null],
    ['answer', outcome?.answers.map(answer => valuesOf(answer).join(', ')).join('\n') ?? null],
    ['edited', outcome?.edited ? editText(outcome.edited) : null],
    ['reference', outcome?.reference ?? null],
    ['by', outcome && `${outcome.by} (${outcome.channel})`],
    ['reason', outcome?.reason ?? null],
    ['note', outcome?.note ?? null],
  ]
  return fields.flatMap(([name, value]) => (value === null || value === '' ? [] : [formatField(name, value)])).join('')
}

function describeFile(file: Request['attachments'][number]): string {
  return harmlessTitle(fileText(file))
}

/** What an agent wrote is its claim, and is called so. */
function formatMessage({ from, by, text, at }: Message): string {
  const who = from === 'agent' ? `${harmlessTitle(by)} (agent) says` : harmlessTitle(by)
  return `${at}  ${who}: ${text.replaceAll('\n', '\n  ')}`
}

function fieldsOfKind(request: Request): Field[] {
  switch (request.kind) {
    case 'question':
      return request.questions.flatMap(fieldsOfQuestion)
    case 'dependency':
      return [
        ['type', request.type],
        ['name', request.name],
        ['description', request.description],
        ['outside', request.outside ? 'the file may be outside the directory' : null],
      ]
    case 'approval': {
      const { tool, input, command, cwd, digest, severity, reasons, safer } = request.action
      const { starts = [], files = [], claims = [], facts } = request.action
      return [
        ['tool', tool ?? null],
        ['command', command ?? null],
        ['input', input === undefined ? null : JSON.stringify(input, null, 2)],
        ['runs in', cwd],
        ['starts', starts.join('\n') || null],
        ['digest', digest],
        ['files', files.join('\n') || null],
        ...(facts?.files ?? []).map(({ path, text }): Field => [`content of ${harmlessTitle(path)}`, text ?? null]),
        ['not covered', facts?.unbound.join('\n') || null],
        ['severity', severity],
        ['because', reasons.map(reason => `${reason.rule}: ${reason.message}`).join('\n')],
        ['safer', safer],
        ['agent says', claims.map(({ message }) => message).join('\n') || null],
      ]
    }
    case 'review':
      return [
        ['phase', request.phase === null ? null : String(request.phase)],
        ['title', request.title],
        ['files', request.files.join('\n')],
        ['diff', request.diff],
      ]
  }
}

function fieldsOfQuestion(question: Question): Field[] {
  const { options, multiSelect, allowOther } = question
  const choice = `${multiSelect ? 'several' : 'one'} of these${allowOther ? ', or text of your own' : ''}`
  return [
    ['question', `${question.id}: ${question.question}`],
    ['header', question.header],
    ['category', question.category],
    ['choose', options.length > 0 ? choice : 'text'],
    ['options', options.map(formatOption).join('\n')],
    ['default', question.default === null ? null : [question.default].flat().join(', ')],
  ]
}

function formatOption({ label, description, preview }: Question['options'][number], i: number): string {
  const about = description ? `  ${harmlessTitle(description)}` : ''
  return `${i + 1}) ${label}${about}${preview ? `\n${preview.replaceAll(/^/gm, '     ')}` : ''}`
}

function formatField(name: string, value: string): string {
  const lines = harmlessLines(value).split('\n')
  if (lines.length === 1) return `${pad(name, 12)}${lines[0]}\n`
  return `${name}\n${lines.map(line => `  ${line}\n`).join('')}`
}
