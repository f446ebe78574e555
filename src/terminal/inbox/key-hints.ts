import { AnswerForm } from '../../form/answer-form.ts'
import type { Request } from '../../protocol/request.ts'
import type { Inbox } from './inbox.ts'

/** The keys that do something here. On a narrow screen, only those that lead to the others. */
export function keyHints(inbox: Inbox, columns: number): string {
  switch (inbox.focus) {
    case 'filter':
      return 'Enter apply · Esc show everything'
    case 'facets':
      return fitting(columns, [
        ['↑↓ move', 'Enter show only this', 'Esc back'],
        ['Enter show only this', 'Esc back'],
      ])
    case 'answer':
      return fitting(columns, [
        ['Enter answer', '1–9 choose another', 'any other key to go back'],
        ['Enter answer', 'Esc back'],
      ])
    case 'skip':
      return 'Enter skip · any other key to go back'
    case 'decline':
      return fitting(columns, writing('Enter decline'))
    case 'last':
      return 'Enter answer · any other key to go back'
    case 'text':
    case 'message':
      return fitting(columns, writing('Enter send'))
    case 'snooze':
      return '1–4 snooze · any other key to go back'
    case 'help':
      return 'PgUp PgDn scroll · Esc back'
    case 'list':
      return listHints(inbox, columns)
  }
}

function writing(send: string): string[][] {
  return [
    [send, '^J new line', '^G editor', 'Esc back'],
    [send, '^J new line', 'Esc back'],
  ]
}

function listHints({ list, filter }: Inbox, columns: number): string {
  const { selected, marked, showsSnoozed } = list
  const leave = filter.text === '' ? 'q quit' : 'Esc show everything'
  if (marked.length > 0) {
    const all = ['1–9 answer', 'd decline', showsSnoozed ? 'z wake' : 'z snooze', 'Esc select none']
    return fitting(columns, [['Space select', ...all, '? help'], all, all.slice(1), ['Esc select none']])
  }
  if (!selected)
    return fitting(columns, [
      ['/ filter', '? help', leave],
      ['? help', leave],
    ])
  const { request } = selected
  const answer = hasOptions(request) ? ['1–9 answer'] : []
  const skip = request.required ? [] : ['s skip']
  const talk = request.canReply ? ['c ask back'] : []
  const acts = [...answer, ...skip, 'd decline', ...talk]
  const snooze = showsSnoozed ? 'z wake' : 'z snooze'
  return fitting(columns, [
    ['↑↓ move', 'Enter open', ...acts, snooze, 'Space select', '/ filter', 'f by kind', '? help', leave],
    ['↑↓ move', 'Enter open', ...acts, snooze, '/ filter', '? help', leave],
    ['↑↓ move', 'Enter open', ...acts, '/ filter', '? help', leave],
    ['Enter open', ...answer, 'd decline', '? help', leave],
    ['Enter open', '/ filter', '? help', leave],
    ['? help', leave],
  ])
}

/** Whether a number answers it from the list. */
function hasOptions(request: Request): boolean {
  const { fields } = new AnswerForm(request)
  return fields.length === 1 && (fields[0]?.question.options.length ?? 0) > 0
}

function fitting(columns: number, choices: readonly (readonly string[])[]): string {
  return choices.map(choice => choice.join(' · ')).find(choice => choice.length <= columns) ?? choices.at(-1)?.[0] ?? ''
}
