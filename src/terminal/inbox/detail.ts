import { type Field, fieldsOf } from '../../form/fields.ts'
import type { Request } from '../../protocol/request.ts'
import { harmlessTitle } from '../../text/harmless.ts'
import { type Line, line } from '../../text/styled.ts'
import { wrap } from '../../text/wrap.ts'
import { describeRequest } from '../describe-request.ts'
import { dueText } from '../due-text.ts'
import { paragraphs } from '../paragraphs.ts'
import { threadLines } from '../thread.ts'
import type { Item } from './item.ts'

/** The selected request in the lines available, and how many more there are. */
export function detail(item: Item, columns: number, room: number, now: number): Line[] {
  const { request, run } = item
  const last = facts(request, run, now).flatMap(fact => wrap(line(fact, 'dim'), columns))
  const thread = threadLines(request.messages, columns, now)
  const said = thread.length > 0 ? [line(''), ...thread] : []
  const whole = [...content(item, columns), ...said, line(''), ...last]
  if (whole.length <= room) return whole
  const rest = whole.length - (room - 1)
  return [...whole.slice(0, room - 1), line(`… ${rest} more lines; press Enter to open it`, 'dim')]
}

// Lays out long texts once, not for every frame.
const rendered = new WeakMap<Item, { readonly columns: number; readonly lines: readonly Line[] }>()

function content(item: Item, columns: number): readonly Line[] {
  const known = rendered.get(item)
  if (known?.columns === columns) return known.lines
  const { request } = item
  const fields = fieldsOf(request)
  const isQuestion = request.kind === 'question'
  const lines = [
    ...(isQuestion ? fields.flatMap(field => questionLines(field, fields.length > 1, columns)) : []),
    ...describeRequest(request, columns),
    ...(isQuestion ? [] : fields.flatMap(field => choiceLine(field, columns))),
  ]
  rendered.set(item, { columns, lines })
  return lines
}

/** Numbered where a number answers it from the list. */
function questionLines(
  { question: { question, options, multiSelect } }: Field,
  isOneOfSeveral: boolean,
  columns: number,
): Line[] {
  const box = multiSelect ? '[ ] ' : ''
  return [
    ...paragraphs(question, columns, ['bold']),
    ...options.flatMap(({ label }, i) => {
      const mark = isOneOfSeveral ? `${box || '· '}` : `${box}${i + 1}. `
      return wrap(line(`  ${mark}${harmlessTitle(label)}`), columns, 2 + mark.length)
    }),
    line(''),
  ]
}

/** `1 yes · 2 no` */
function choiceLine({ question: { options } }: Field, columns: number): Line[] {
  if (options.length === 0) return []
  const choices = options.map(({ label }, i) => `${i + 1} ${harmlessTitle(label)}`).join(' · ')
  return [line(''), ...wrap(line(choices, 'cyan'), columns)]
}

function facts(request: Request, run: string, now: number): string[] {
  const { required, key, id } = request
  const due = dueText(request, now)
  return [
    ...(due === null ? [] : [due]),
    [id, run && `run ${run}`, key && `key ${harmlessTitle(key)}`, !required && 'optional'].filter(Boolean).join(', '),
  ]
}
