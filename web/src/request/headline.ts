import type { Request } from '../../../src/protocol/request.ts'
import { kindName } from '../words/names.ts'
import { t } from '../words/words.ts'

const longestTitle = 200

/** What stands over a request: a single question itself, where it is short enough to be a title. */
export function headline(request: Request): string {
  switch (request.kind) {
    case 'question': {
      const [first] = request.questions
      if (request.questions.length > 1) return t('{count} questions', { count: request.questions.length })
      return isHeadline(request) ? (first?.question ?? '') : first?.header || kindName(request)
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

/** Whether its question is its title: then it need not be said a second time. */
export function isHeadline(request: Request): boolean {
  if (request.kind !== 'question' || request.questions.length !== 1) return false
  const text = request.questions[0]?.question ?? ''
  return text.trim() !== '' && text.length <= longestTitle && !text.includes('\n')
}

/** A word or two above the title, where the agent gave one and it is not the title itself. */
export function eyebrow(request: Request): string | null {
  if (!isHeadline(request) || request.kind !== 'question') return null
  return request.questions[0]?.header || null
}
