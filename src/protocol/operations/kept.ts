import type { Entry } from './operation.ts'

/** Values that people keep for later asks; never the values themselves. */
export const kept = {
  'kept.list': {
    method: 'GET',
    path: '/api/kept',
    summary: 'List what people keep for later asks; never the values.',
    scope: 'answer',
    owner: 'any',
    result: 'KeptList',
    resultField: 'kept',
    repeatable: true,
  },
  'kept.forget': {
    method: 'DELETE',
    path: '/api/kept/:name',
    summary: 'Forget a kept value.',
    scope: 'answer',
    owner: 'any',
    result: 'ForgottenKept',
    resultField: 'kept',
    repeatable: true,
  },
} as const satisfies Record<string, Entry>
