import { harmlessTitle } from '../../text/harmless.ts'
import { type Line, line } from '../../text/styled.ts'
import { cut, widthOf } from '../../text/width.ts'
import type { Dialog } from './dialog.ts'

const between = '  '
const shortest = 5

/** The questions of a batch beside each other: which are answered, and where the person is. None for a single one. */
export function tabs(dialog: Dialog, columns: number): Line[] {
  const { form, step, focus } = dialog
  const count = form.fields.length
  if (count < 2) return []
  const room = Math.floor((columns - between.length * count) / (count + 1))
  if (room < shortest) return []
  const questions = form.fields.map(({ question }, i) => {
    const isAnswered = !form.isBlank(i) && form.problem(i) === null
    const title = harmlessTitle(question.header || question.question)
    return { mark: isAnswered ? '✔' : '○', title, isHere: i === step && focus !== 'review', isAnswered }
  })
  const all = [...questions, { mark: '→', title: 'Send', isHere: focus === 'review', isAnswered: false }]
  const isTooWide = all.reduce((sum, { title }) => sum + widthOf(title) + 2 + between.length, 0) > columns
  const spans = all.flatMap(({ mark, title, isHere, isAnswered }, i) => [
    ...(i > 0 ? line(between) : []),
    ...line(
      `${mark} ${isTooWide ? cut(title, room - 2) : title}`,
      ...(isHere ? (['cyan', 'bold', 'underline'] as const) : isAnswered ? (['green'] as const) : (['dim'] as const)),
    ),
  ])
  return [spans, line('')]
}
