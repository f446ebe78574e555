import type { Question, Request } from '../../protocol/request.ts'
import type { OnTimeout } from '../../protocol/status.ts'
import { formatDuration } from '../../text/age.ts'
import { harmlessTitle } from '../../text/harmless.ts'
import { type Line, line } from '../../text/styled.ts'
import { wrap } from '../../text/wrap.ts'
import { describeRequest } from '../describe-request.ts'
import { paragraphs } from '../paragraphs.ts'
import type { Item } from './item.ts'

/** The lit request in as many lines as there is room for, and how much more there is. */
export function detail(item: Item, columns: number, room: number, now: number): Line[] {
  const { request, run } = item
  const last = facts(request, run, now).flatMap(fact => wrap(line(fact, 'dim'), columns))
  const whole = [...content(item, columns), line(''), ...last]
  if (whole.length <= room) return whole
  const rest = whole.length - (room - 1)
  return [...whole.slice(0, room - 1), line(`… ${rest} more lines; Enter opens it`, 'dim')]
}

// Long texts are laid out once, and not for every frame while somebody moves over them.
const laidOut = new WeakMap<Item, { readonly columns: number; readonly lines: readonly Line[] }>()

function content(item: Item, columns: number): readonly Line[] {
  const known = laidOut.get(item)
  if (known?.columns === columns) return known.lines
  const { request } = item
  const questions = request.kind === 'question' ? request.questions : []
  const lines = [...questions.flatMap(question => asked(question, columns)), ...describeRequest(request, columns)]
  laidOut.set(item, { columns, lines })
  return lines
}

function asked({ question, options, multiSelect }: Question, columns: number): Line[] {
  const sign = multiSelect ? '[ ] ' : '· '
  return [
    ...paragraphs(question, columns, ['bold']),
    ...options.flatMap(({ label }) => wrap(line(`  ${sign}${harmlessTitle(label)}`), columns, 2 + sign.length)),
    line(''),
  ]
}

const afterwards: Record<OnTimeout, string> = {
  default: 'then its default counts',
  fail: 'then it expires',
  remind: 'then it reminds you',
}

function facts({ deadline, onTimeout, required, key, id }: Request, run: string, now: number): string[] {
  return [
    ...(deadline === null ? [] : [`Due in ${formatDuration(Date.parse(deadline) - now)}, ${afterwards[onTimeout]}.`]),
    [id, run && `of ${run}`, key && `key ${harmlessTitle(key)}`, !required && 'optional'].filter(Boolean).join(', '),
  ]
}
