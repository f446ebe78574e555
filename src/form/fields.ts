import type { Question, Request } from '../protocol/request.ts'
import { secretTypes } from '../protocol/status.ts'
import { questionsOf } from '../rules/questions.ts'

/** One thing to fill in: a question of the request, or the question that another kind of request amounts to. */
export interface Field {
  readonly question: Question
  /** The value is neither shown while it is typed nor saved in a draft. */
  readonly secret: boolean
  /** Choosing the option with this label requires a text as well. */
  readonly textRequiredBy: string | null
  /** Choosing this label requires typing a word, so that one stray key cannot approve something dangerous. */
  readonly confirmation: { readonly label: string; readonly word: string } | null
}

export function fieldsOf(request: Request): Field[] {
  switch (request.kind) {
    case 'question':
      return request.questions.map(question => ({ ...ordinary, question }))
    case 'approval': {
      const dangerous = ['high', 'critical'].includes(request.action.severity)
      const confirmation = dangerous ? { label: 'yes', word: 'yes' } : null
      return questionsOf(request).map(question => ({
        ...ordinary,
        question: { ...question, header: 'Approval', question: 'May it run?' },
        confirmation,
      }))
    }
    case 'review':
      // The text explains "changes"; on its own it is not an answer.
      return questionsOf(request).map(question => ({
        ...ordinary,
        question: { ...question, header: 'Review', question: 'Is it good as it is?', allowOther: false },
        textRequiredBy: 'changes',
      }))
    case 'dependency': {
      const labels = request.type === 'permission' ? ['yes', 'no'] : []
      const options = labels.map(label => ({ label, description: '', preview: '' }))
      const question = { ...emptyQuestion, header: request.name, options }
      return [{ ...ordinary, question, secret: secretTypes.includes(request.type) }]
    }
  }
}

const ordinary = { secret: false, textRequiredBy: null, confirmation: null }

const emptyQuestion = {
  id: 'value',
  question: '',
  header: '',
  category: null,
  multiSelect: false,
  allowOther: false,
  default: null,
}
