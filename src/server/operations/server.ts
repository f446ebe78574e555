import type { Operation } from './operation.ts'

/** The server itself. */
export const server: readonly Operation[] = [
  {
    method: 'GET',
    path: '/api/openapi.json',
    name: 'openapi',
    summary: 'This description.',
    scope: 'ask',
    result: 'Document',
  },
  {
    method: 'GET',
    path: '/api/docs',
    name: 'docs',
    summary: 'This description, to be read.',
    scope: 'ask',
    result: 'html',
  },
  { method: 'GET', path: '/healthz', name: 'health', summary: 'Whether it lives.', scope: null, result: 'Health' },
  {
    method: 'GET',
    path: '/metrics',
    name: 'metrics',
    summary: 'Numbers for Prometheus.',
    scope: 'answer',
    result: 'text',
  },
]
