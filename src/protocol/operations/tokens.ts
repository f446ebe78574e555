import type { Entry } from './operation.ts'

/** Tokens, for programs and for people on other machines. */
export const tokens = {
  'tokens.list': {
    method: 'GET',
    path: '/api/tokens',
    summary: 'List tokens, newest first.',
    scope: 'admin',
    owner: 'any',
    result: 'TokenList',
    resultField: 'tokens',
    repeatable: true,
  },
  'tokens.create': {
    method: 'POST',
    path: '/api/tokens',
    summary: 'Create a token; its secret is shown once. With less than `admin`: ask tokens bound to a run of yours.',
    scope: 'run',
    owner: 'token',
    body: 'CreateToken',
    result: 'NewToken',
    status: 201,
    repeatable: false,
  },
  'tokens.revoke': {
    method: 'DELETE',
    path: '/api/tokens/:id',
    summary: 'Revoke a token, with the links and sessions made through it.',
    scope: 'admin',
    owner: 'any',
    result: 'RevokedToken',
    resultField: 'token',
    repeatable: true,
    handler: true,
  },
} as const satisfies Record<string, Entry>
