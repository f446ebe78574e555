import { asks, asksWith, type Case, dependency, error, malformed, needs, question } from './case.ts'

const which = { question: 'Which?' }
const keyed = (...lines: string[]) => needs('type: api_key', 'name: KEY', 'description: For tests', ...lines)

export const fields: Case[] = [
  [
    'names and category in any case',
    asks('CATEGORY: Business', 'Question: Which?', 'REQUIRED: False'),
    question({ ...which, category: 'business', required: false }),
  ],
  ['a category in quotes', asks('category: "choice"', 'question: Which?'), question(which)],
  [
    'no space after the colon',
    asks('category:choice', 'question:Which?', 'options:[a,b]'),
    question({ ...which, options: ['a', 'b'] }),
  ],
  [
    'fields in any order',
    asks('required: false', 'question: Which?', 'category: choice'),
    question({ ...which, required: false }),
  ],
  ['indented fields', asks('    category: choice', '\tquestion: Which?'), question(which)],
  ['blank lines around fields', asks('', 'category: choice', '', 'question: Which?', '', ''), question(which)],
  [
    'an unknown field goes on with the value',
    asks('category: choice', 'question: Which?', 'priority: high'),
    question({ question: 'Which?\npriority: high' }),
  ],
  [
    'indentation that all further lines have is layout',
    asks('category: choice', 'question: Keep', '    this:', '      code()', 'options: [a, b]'),
    question({ question: 'Keep\nthis:\n  code()', options: ['a', 'b'] }),
  ],
  ['a question that begins on the next line', asks('category: choice', 'question:', '  Which?'), question(which)],
  [
    'a URL is no field',
    asks('category: choice', 'question: See', 'https://example.com/x: which?'),
    question({ question: 'See\nhttps://example.com/x: which?' }),
  ],
  [
    'a code sample with a fence in a question',
    asks('category: choice', 'question: Keep this?', '```ts', 'run()', '```'),
    question({ question: 'Keep this?\n```ts\nrun()\n```' }),
  ],
  [
    'a closing tag of another kind is text',
    asks('category: choice', 'question: Which?', '[/DEPENDENCY_REQUEST]'),
    question({ question: 'Which?\n[/DEPENDENCY_REQUEST]' }),
  ],
  [
    'quotes in a question stay',
    asks('category: choice', 'question: "Quoted" or not?'),
    question({ question: '"Quoted" or not?' }),
  ],
  ['a field given twice', asksWith('question: Or this?'), malformed('USER_QUESTION', 'question: is given twice')],
  [
    'text before the first field',
    asks('I would like to know', 'category: choice', 'question: Which?'),
    malformed('USER_QUESTION', 'I would like to know'),
  ],
  ['an empty block', asks(), malformed('USER_QUESTION', 'category: is missing', 'question: is missing')],
  ['a block of free text', asks('What shall I do?'), malformed('USER_QUESTION', 'What shall I do?')],
  [
    'JSON instead of fields',
    asks('{"category": "choice", "question": "Which?"}'),
    malformed('USER_QUESTION', 'category: is missing'),
  ],
  [
    'a NUL byte',
    asks('category: choice', 'question: Wh\0ich?'),
    malformed('USER_QUESTION', 'question: contains a NUL byte'),
  ],
  [
    'a question that is too long',
    asks('category: choice', `question: ${'x'.repeat(10_001)}`),
    malformed('USER_QUESTION', 'question: is too long'),
  ],
  ['timeout: 15m', asksWith('timeout: 15m'), question({ ...which, timeout: 900_000 })],
  ['timeout: 1h30m', asksWith('timeout: 1h30m'), question({ ...which, timeout: 5_400_000 })],
  ['timeout: none', asksWith('timeout: None'), question({ ...which, timeout: null })],
  ['timeout: soon', asksWith('timeout: soon'), malformed('USER_QUESTION', 'timeout: write 90s')],
  ['timeout: 0s', asksWith('timeout: 0s'), malformed('USER_QUESTION', 'timeout:', 'longer than zero')],
  ['timeout: 20000d', asksWith('timeout: 20000d'), malformed('USER_QUESTION', 'timeout:', 'ten years')],
  ['a dependency with a timeout', keyed('timeout: 5m'), dependency({ timeout: 300_000 })],
  ['a type in any case', needs('type: API_KEY', 'name: KEY', 'description: For tests'), dependency({})],
  ['a name in quotes', needs('type: api_key', 'name: "KEY"', 'description: For tests'), dependency({})],
  [
    'a dependency without description',
    needs('type: api_key', 'name: KEY'),
    malformed('DEPENDENCY_REQUEST', 'description: is missing'),
  ],
  [
    'a dependency without name',
    needs('type: api_key', 'description: x'),
    malformed('DEPENDENCY_REQUEST', 'name: is missing'),
  ],
  [
    'a dependency without type',
    needs('name: KEY', 'description: x'),
    malformed('DEPENDENCY_REQUEST', 'type: is missing'),
  ],
  [
    'a name of two lines',
    needs('type: api_key', 'name: KEY', 'and more', 'description: x'),
    malformed('DEPENDENCY_REQUEST', 'name: must be a single line'),
  ],
  [
    'a name that is too long',
    needs('type: api_key', `name: ${'K'.repeat(201)}`, 'description: x'),
    malformed('DEPENDENCY_REQUEST', 'name: is too long'),
  ],
  ...['env_variable', 'file', 'permission', 'package', 'service'].map(
    (type): Case => [
      `a dependency of type ${type}`,
      needs(`type: ${type}`, 'name: KEY', 'description: For tests'),
      dependency({ type: type as 'file' }),
    ],
  ),
  ['an error without type', '[ERROR]\nmessage: Disk full\n[/ERROR]\n', error({ message: 'Disk full' })],
  [
    'an error of type FATAL',
    '[ERROR]\ntype: FATAL\nmessage: Disk full\n[/ERROR]\n',
    error({ type: 'FATAL', message: 'Disk full', fatal: true }),
  ],
  [
    'an error of a kind of its own',
    '[ERROR]\n\ntype: validation_error\nmessage: a\nb\n[/ERROR]\n',
    error({ type: 'validation_error', message: 'a\nb' }),
  ],
  ['an error without message', '[ERROR]\ntype: fatal\n[/ERROR]\n', malformed('ERROR', 'message: is missing')],
  ['an empty error', '[ERROR]\n[/ERROR]\n', malformed('ERROR', 'message: is missing')],
]
