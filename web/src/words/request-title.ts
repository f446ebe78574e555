import type { Request } from '../../../src/protocol/request.ts'
import { titleOf } from '../../../src/rules/title.ts'
import { withoutMarkdown } from '../text/without-markdown.ts'
import { kindName } from './names.ts'
import { t } from './translate.ts'

const longestTitle = 200

/** The heading of a request. A single short question is its own title. */
export function requestTitle(request: Request): string {
  switch (request.kind) {
    case 'question': {
      const [first] = request.questions
      if (request.questions.length > 1) return t('{count} questions', { count: request.questions.length })
      return isTitleQuestion(request) ? (first?.question ?? '') : first?.header || kindName(request)
    }
    case 'dependency':
      return t('Needs {name}', { name: request.name })
    case 'approval':
      return kindName(request)
    case 'review':
      return request.phase === null
        ? request.title
        : `${t('Phase {phase}', { phase: request.phase })}: ${request.title}`
  }
}

/** One line of a list. A command stays exactly what would run. */
export function lineTitle(request: Request): string {
  return request.kind === 'approval' ? titleOf(request) : withoutMarkdown(titleOf(request))
}

/** Whether the title is the question itself, which then need not be repeated. */
export function isTitleQuestion(request: Request): boolean {
  return (
    request.kind === 'question' && request.questions.length === 1 && isShortQuestion(request.questions[0]?.question)
  )
}

/** Whether a question fits into a title. */
export function isShortQuestion(text = ''): boolean {
  return text.trim() !== '' && text.length <= longestTitle && !text.includes('\n')
}

/** The question's header above the title, if the question itself is the title. */
export function eyebrow(request: Request): string | null {
  if (!isTitleQuestion(request) || request.kind !== 'question') return null
  return request.questions[0]?.header || null
}
