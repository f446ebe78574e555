import type { Entry } from './operation.ts'

/** Accounts of chats that answer as a person. */
export const pairings = {
  'pairings.start': {
    method: 'POST',
    path: '/api/notify/:name/pairing',
    summary:
      'Get a code that pairs an account of this chat with the calling person; a topic of ntfy is paired at once.',
    scope: 'answer',
    owner: 'any',
    body: 'Empty',
    result: 'StartedPairing',
    status: 201,
    repeatable: false,
  },
  'pairings.list': {
    method: 'GET',
    path: '/api/pairings',
    summary: 'List the accounts of chats that answer as the calling person; for `admin`, as anybody.',
    scope: 'answer',
    owner: 'any',
    result: 'PairingList',
    resultField: 'pairings',
    repeatable: true,
  },
  'pairings.remove': {
    method: 'DELETE',
    path: '/api/pairings/:id',
    summary: 'Let an account of a chat answer no longer.',
    scope: 'answer',
    owner: 'any',
    result: 'OnePairing',
    resultField: 'pairing',
    repeatable: true,
  },
} as const satisfies Record<string, Entry>
