import type { AnswerGiven, Outcome } from '../protocol/answer.ts'
import type { Request } from '../protocol/request.ts'
import { actionText, editText } from '../rules/action-text.ts'
import { isUnexplained } from '../rules/outcomes.ts'
import { alwaysText } from '../rules/questions.ts'
import { harmlessTitle } from '../text/harmless.ts'
import { type Line, line, type Style } from '../text/styled.ts'
import { cut, widthOf } from '../text/width.ts'
import { wrap } from '../text/wrap.ts'

/** What a line says: a mark, a word, what was asked, and what became of it. */
interface Said {
  readonly mark: '✔' | '✗' | '–' | '○'
  readonly word?: string
  readonly title: string
  readonly end?: string
  /** Stands between title and end. */
  readonly by?: string
}

const colours: Record<Said['mark'], Style> = { '✔': 'green', '✗': 'red', '–': 'dim', '○': 'yellow' }
// A narrower screen shows the line in several rows; a wider one is used as it is.
const narrowest = 80

/**
 * What a prompt leaves in the transcript, on one line: what was asked and what was decided. `here` is false if somebody
 * else decided it. Outcomes contain no secrets.
 */
export function settledLine(request: Request, columns: number, { here = true } = {}): Line[] {
  const { mark, word = '', title, end = '', by = '' } = said(request)
  const who = here ? '' : attribution(request)
  const lead = `${mark} ${word ? `${word}: ` : ''}`
  const room = Math.max(columns, narrowest) - widthOf(lead) - widthOf(by) - widthOf(who)
  const rest = cut(end, Math.max(room - widthOf(title), Math.floor(room / 2)))
  const asked = cut(title, room - widthOf(rest))
  const whole = [
    ...line(mark, colours[mark]),
    ...line(` ${word ? `${word}: ` : ''}${asked}${by}`),
    ...line(rest, 'bold'),
    ...line(who, 'dim'),
  ]
  return wrap(whole, columns, 2)
}

function said(request: Request): Said {
  const title = titleOf(request)
  const { outcome } = request
  if (!outcome) return { mark: '○', word: 'Left open', title }
  const { status, answers, reason } = outcome
  const given = valuesOf(answers)
  switch (status) {
    case 'answered':
      return answered(request, title, outcome)
    case 'declined':
      return { mark: '✗', word: 'Declined', title, ...because(isUnexplained(reason) ? null : reason) }
    case 'skipped':
      return { mark: '–', word: 'Skipped', title, ...because(given && `the default "${given}" is used`) }
    case 'defaulted':
      return { mark: '–', title, by: separator(title), end: `Time is up: the default "${given}" was used` }
    case 'expired':
      return { mark: '✗', title, by: separator(title), end: 'Time is up: nobody answered' }
    default:
      return { mark: '–', word: 'Withdrawn', title, ...because(reason) }
  }
}

function answered(request: Request, title: string, { answers, edited, always }: Outcome): Said {
  switch (request.kind) {
    case 'question': {
      if (request.questions.length === 1) return { mark: '✔', title, by: separator(title), end: valuesOf(answers) }
      return { mark: '✔', title: '', end: batchText(request.questions, answers) }
    }
    case 'dependency':
      return { mark: '✔', word: 'Provided', title }
    case 'approval':
      if (edited !== undefined) return { mark: '✔', word: 'Approved, edited', title: harmlessTitle(editText(edited)) }
      if (always !== 'exact' && always !== 'prefix') return { mark: '✔', word: 'Approved', title }
      return { mark: '✔', word: 'Approved from now on', title, ...because(alwaysText(request.action, always)) }
    case 'review': {
      const [answer] = answers
      if (answer?.selected[0] !== 'changes') return { mark: '✔', word: 'Approved', title }
      return { mark: '✗', word: 'Changes requested', title, ...because(answer.text) }
    }
  }
}

/** `Database: SQLite · Features: Cache, Trace`; a question that was left blank is left out. */
function batchText(questions: readonly { id: string; header: string; question: string }[], answers: AnswerGiven[]) {
  return questions
    .flatMap(({ id, header, question }) => {
      const value = valuesOf(answers.filter(answer => answer.id === id))
      const title = cut(harmlessTitle(header || question), 30)
      return value ? [`${title}${separator(title)}${value}`] : []
    })
    .join(' · ')
}

function titleOf(request: Request): string {
  switch (request.kind) {
    case 'question': {
      const [first, ...more] = request.questions
      const titles =
        more.length > 0 ? request.questions.map(one => one.header || one.question) : [first?.question ?? '']
      return titles.map(harmlessTitle).join(', ')
    }
    case 'approval':
      return harmlessTitle(actionText(request.action))
    case 'review':
      return harmlessTitle(request.title)
    case 'dependency':
      return harmlessTitle(request.name)
  }
}

function valuesOf(answers: readonly AnswerGiven[]): string {
  return answers
    .flatMap(({ selected, text }) => [...selected, text ?? ''])
    .map(harmlessTitle)
    .filter(Boolean)
    .join(', ')
}

function because(reason: string | null | undefined): Pick<Said, 'by' | 'end'> {
  return reason?.trim() ? { by: ' — ', end: harmlessTitle(reason) } : {}
}

/** A question mark needs no colon after it. */
function separator(title: string): string {
  return /[?!.:…？！。：]$/u.test(title) ? ' ' : ': '
}

/** Who else decided; a deadline is nobody. */
function attribution({ outcome }: Request): string {
  if (!outcome || outcome.channel === 'policy') return ''
  return cut(` (${harmlessTitle(outcome.by)}, ${harmlessTitle(outcome.channel)})`, 40)
}
