import type { AnswerForm } from '../../form/answer-form.ts'
import { harmlessTitle } from '../../text/harmless.ts'
import { type Line, line } from '../../text/styled.ts'
import { cut } from '../../text/width.ts'
import { wrap } from '../../text/wrap.ts'
import { layOutEditor } from '../editor-layout.ts'
import { snoozeTimes } from '../snooze-times.ts'
import type { Inbox } from './inbox.ts'

interface Bottom {
  readonly lines: Line[]
  readonly cursor: { row: number; column: number } | null
}

/** The current question or message, and the keys. Of a text being written, the lines around its cursor. */
export function bottomOf(inbox: Inbox, columns: number, room: number, footer: Line, now: number): Bottom {
  const message = inbox.message ? wrap(line(inbox.message, 'yellow'), columns).slice(0, 2) : []
  switch (inbox.focus) {
    case 'filter':
      return editorLines('Show only: ', inbox.filter, columns, [footer], Math.min(room, 2))
    case 'text':
    case 'decline':
    case 'message': {
      const head = wrap(line(about(inbox, columns), 'bold'), columns)
      const body = editorLines('▏ ', inbox.text, columns, [...message, footer], Math.min(room, 6))
      const { cursor } = body
      const above = [line(''), ...head]
      return {
        lines: [...above, ...body.lines],
        cursor: cursor && { ...cursor, row: cursor.row + above.length },
      }
    }
    case 'answer':
    case 'skip':
    case 'last':
    case 'snooze': {
      const times = snoozeTimes(now).map(({ label }, i) => `${i + 1} ${label}`)
      const texts = [about(inbox, columns), ...(inbox.focus === 'snooze' ? [times.join(' · ')] : [])]
      const lines = texts.flatMap(text => wrap(line(text, 'yellow', 'bold'), columns))
      return { lines: [line(''), ...lines, ...message, footer], cursor: null }
    }
    default:
      return { lines: [...(message.length > 0 ? [line(''), ...message] : [line('')]), footer], cursor: null }
  }
}

/** What is decided, and on what. */
function about({ focus, targets, form }: Inbox, columns: number): string {
  const count = targets.length
  const these = count === 1 ? 'this request' : `these ${count} requests`
  const title = count === 1 ? ` ${cut(targets[0]?.title ?? '', Math.max(12, columns - 30))}` : ''
  switch (focus) {
    case 'decline':
      return `Why do you decline ${these}?${title}`
    case 'message':
      return `Your message to the agent:${title}`
    case 'last':
      return `Answer the same as last time?${title}`
    case 'snooze':
      return `Snooze ${these}?${title}`
    case 'skip':
      return `Skip ${these}?${title}`
    case 'text':
      return `${form?.field(0).textRequiredBy ? 'What should be changed?' : 'Your own answer:'}${title}`
    default:
      return `Answer ${count === 1 ? '' : `${these} with `}${form ? chosen(form) : ''}?${title}`
  }
}

/** `“always exact” (exactly this, in /srv/shop)` */
function chosen(form: AnswerForm): string {
  const { options } = form.field(0).question
  const labels = form.labels(0).map(label => {
    const { description = '' } = options.find(option => option.label === label) ?? {}
    const means = form.request.kind === 'approval' && description ? ` (${harmlessTitle(description)})` : ''
    return `“${cut(harmlessTitle(label), 60)}”${means}`
  })
  return labels.length > 0 ? labels.join(', ') : 'nothing'
}

function editorLines(label: string, editor: Inbox['text'], columns: number, below: Line[], most: number): Bottom {
  const { lines, row, column } = layOutEditor(editor, columns - label.length)
  const from = Math.max(0, Math.min(row - most + 1, lines.length - most))
  const shown = lines.slice(from, from + most)
  return {
    lines: [...shown.map(one => [...line(label, 'cyan'), ...one]), ...below],
    cursor: { row: row - from, column: column + label.length },
  }
}
