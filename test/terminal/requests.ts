import type { Question, Request } from '../../src/protocol/request.ts'

/** Requests as the hub shows them, for tests that need no hub. */
export function aQuestion(fields: Partial<Question> & { labels?: string[] } = {}): Question {
  const { labels = [], ...rest } = fields
  return {
    id: 'q1',
    question: 'Which one?',
    header: 'Choice',
    category: null,
    options: labels.map(label => ({ label, description: '', preview: '' })),
    multiSelect: false,
    allowOther: false,
    default: null,
    ...rest,
  }
}

const common = {
  id: 'req_test',
  run: null,
  status: 'pending',
  required: true,
  context: null,
  agent: { name: 'shell', cwd: '/work', path: [] },
  deadline: null,
  onTimeout: 'remind',
  key: null,
  createdAt: '2026-01-01T00:00:00.000Z',
  settledAt: null,
  deliveredAt: null,
  usedAt: null,
  outcome: null,
  canReply: false,
} as const

const lists = () => ({ agent: { ...common.agent, path: [] }, messages: [], attachments: [] })

export function aRequest(questions: Question[], required = true): Request {
  return { ...common, ...lists(), kind: 'question', required, questions }
}

export function anApproval(severity: 'low' | 'high' | 'critical', command = 'rm -rf ./build'): Request {
  const action = { command, cwd: '/work', digest: 'd', severity, reasons: [], safer: null }
  return { ...common, ...lists(), kind: 'approval', action }
}

export function aReview(): Request {
  return {
    ...common,
    ...lists(),
    kind: 'review',
    phase: 2,
    title: 'The parser',
    files: ['a.ts'],
    diff: null,
    feedback: null,
  }
}

export function aDependency(type: 'api_key' | 'permission' | 'package'): Request {
  return { ...common, ...lists(), kind: 'dependency', type, name: 'KEY', description: 'for it', outside: false }
}
