import type { Operation } from './operation.ts'

/** What people said for later: values that they keep, rules that they made. */
export const standing: readonly Operation[] = [
  {
    method: 'GET',
    path: '/api/kept',
    name: 'listKept',
    summary: 'What people keep for later asks; never the values.',
    scope: 'answer',
    result: 'KeptList',
  },
  {
    method: 'DELETE',
    path: '/api/kept/:name',
    name: 'forgetKept',
    summary: 'Take it back.',
    scope: 'answer',
    result: 'ForgottenKept',
  },
  {
    method: 'GET',
    path: '/api/rules',
    name: 'listRules',
    summary:
      'What people always allow, want to be asked about, or forbid; for people, `all` also has what is no longer in force.',
    scope: 'ask',
    query: { all: { type: 'boolean' } },
    result: 'RuleList',
  },
  {
    method: 'DELETE',
    path: '/api/rules/:id',
    name: 'removeRule',
    summary: 'It counts no more; it stays in the list of `all`.',
    scope: 'answer',
    result: 'RemovedRule',
  },
]
