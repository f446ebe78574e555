import type { Entry } from './operation.ts'

/** What people always allow, want to be asked about, or forbid. */
export const rules = {
  'rules.list': {
    method: 'GET',
    path: '/api/rules',
    summary: 'List the rules about commands; for people, `all` also lists those no longer in force.',
    scope: 'ask',
    owner: 'token',
    query: 'ListRules',
    result: 'RuleList',
    resultField: 'rules',
    repeatable: true,
  },
  'rules.remove': {
    method: 'DELETE',
    path: '/api/rules/:id',
    summary: 'Remove a rule; it stays in the list of `all`.',
    scope: 'answer',
    owner: 'any',
    result: 'RemovedRule',
    resultField: 'rule',
    repeatable: true,
  },
} as const satisfies Record<string, Entry>
