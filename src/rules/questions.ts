import type { ApprovalRequest, DependencyRequest, Question, Request, RuleScope } from '../protocol/index.ts'

/** The questions of a request. Approvals and reviews are questions too, with fixed options. */
export function questionsOf(request: Exclude<Request, DependencyRequest>): Question[] {
  switch (request.kind) {
    case 'question':
      return request.questions
    case 'approval':
      return [{ ...fixed, id: 'approval', options: approvalOptions(request), allowOther: false }]
    case 'review':
      return [{ ...fixed, id: 'review', options: options('approve', 'changes'), allowOther: true }]
  }
}

/** The options that turn a yes into a rule. */
export const alwaysLabels: Record<RuleScope, string> = { exact: 'always exact', prefix: 'always prefix' }

/** A yes for always comes after yes and no, and says what it would allow. */
function approvalOptions({ action }: ApprovalRequest) {
  const { exact = false, prefix = null } = action.always ?? {}
  // A person looks at dangerous actions every time.
  if (['high', 'critical'].includes(action.severity)) return options('yes', 'no')
  const always = (scope: RuleScope) => ({
    label: alwaysLabels[scope],
    description: alwaysText(action, scope),
    preview: '',
  })
  return [...options('yes', 'no'), ...(exact ? [always('exact')] : []), ...(prefix ? [always('prefix')] : [])]
}

/** What a yes for always allows. */
export function alwaysText({ cwd, always }: ApprovalRequest['action'], scope: RuleScope): string {
  if (scope === 'exact') return `exactly this, in ${cwd}, with its files as they are, for 30 days`
  const { words = [], within = cwd } = always?.prefix ?? {}
  return `everything that begins with "${words.join(' ')}", in ${within}, for 30 days`
}

const fixed = { question: '', header: '', category: null, multiSelect: false, default: null }

function options(...labels: string[]) {
  return labels.map(label => ({ label, description: '', preview: '' }))
}
