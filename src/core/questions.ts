import type { DependencyRequest, Question, Request } from '../protocol/index.ts'

/** What a person is asked. Approvals and reviews are questions too, with options of their own. */
export function questionsOf(request: Exclude<Request, DependencyRequest>): Question[] {
  switch (request.kind) {
    case 'question':
      return request.questions
    case 'approval':
      return [{ ...fixed, id: 'approval', options: options('yes', 'no'), allowOther: false }]
    case 'review':
      return [{ ...fixed, id: 'review', options: options('approve', 'changes'), allowOther: true }]
  }
}

const fixed = { question: '', header: '', category: null, multiSelect: false, default: null }

function options(...labels: string[]) {
  return labels.map(label => ({ label, description: '', preview: '' }))
}
