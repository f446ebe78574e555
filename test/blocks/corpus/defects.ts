import { asks, asksWith, type Case, dependency, malformed, needs, phase, question } from './case.ts'

const which = { question: 'Which?' }

// seed-defects.md, section A, "Defects: parsing", by their numbers.
export const defects: Case[] = [
  [
    '1: a comma in a quoted option',
    asksWith('options: ["Yes, full editing", "No"]'),
    question({ ...which, options: ['Yes, full editing', 'No'] }),
  ],
  [
    '1: a comma in an option in single quotes',
    asksWith("options: ['Yes, full editing', 'No']"),
    question({ ...which, options: ['Yes, full editing', 'No'] }),
  ],
  [
    '1: a comma in an option with quotes among bare ones',
    asksWith('options: [Maybe, "Yes, full editing", No]'),
    question({ ...which, options: ['Maybe', 'Yes, full editing', 'No'] }),
  ],
  [
    '1: a comma in parentheses',
    asksWith('options: [Cloud (AWS, GCP), Own machines]'),
    question({ ...which, options: ['Cloud (AWS, GCP)', 'Own machines'] }),
  ],
  [
    '2: the whole list, and not its first item',
    asksWith('options:', '- A', '- B', '- C'),
    question({ ...which, options: ['A', 'B', 'C'] }),
  ],
  ['2: an empty default does not swallow the next line', asksWith('default:', 'required: true'), question(which)],
  [
    '2: empty options do not swallow the next line',
    asksWith('options:', 'default: B', 'required: no'),
    question({ ...which, default: 'B', required: false }),
  ],
  [
    '2: an empty question is missing',
    asks('category: choice', 'question:', 'options: [a, b]'),
    malformed('USER_QUESTION', 'question: is missing'),
  ],
  [
    '2: an empty category is missing',
    asks('category:', 'question: Which?'),
    malformed('USER_QUESTION', 'category: is missing', 'business, clarification, choice, confirmation'),
  ],
  [
    '3: "default:" in the middle of a question',
    asks('category: confirmation', 'question: Keep the default: yes or no?'),
    question({ category: 'confirmation', question: 'Keep the default: yes or no?' }),
  ],
  [
    '3: "name:" in the middle of a description',
    needs('type: env_variable', 'description: Database name: orders', 'name: DB'),
    dependency({ type: 'env_variable', name: 'DB', description: 'Database name: orders' }),
  ],
  [
    '3: "filename:" is no "name:"',
    needs('type: file', 'description: see', 'filename: x.txt', 'name: LOGO'),
    dependency({ type: 'file', name: 'LOGO', description: 'see\nfilename: x.txt' }),
  ],
  ['4: required: True', asksWith('required: True'), question(which)],
  ['4: required: yes', asksWith('required: yes'), question(which)],
  ['4: required: 1', asksWith('required: 1'), question(which)],
  ['4: required: "true"', asksWith('required: "true"'), question(which)],
  ['4: required: FALSE', asksWith('required: FALSE'), question({ ...which, required: false })],
  ['4: required: No', asksWith('required: No'), question({ ...which, required: false })],
  ['4: required: 0', asksWith('required: 0'), question({ ...which, required: false })],
  ['4: no required means required, for a question', asksWith(), question(which)],
  [
    '4: no required means required, for a dependency',
    needs('type: api_key', 'name: KEY', 'description: For tests'),
    dependency({}),
  ],
  [
    '4: required: maybe is not guessed at',
    asksWith('required: maybe'),
    malformed('USER_QUESTION', 'required: must be true or false'),
  ],
  ['5: [] is no options', asksWith('options: []'), question(which)],
  ['5: [ ] is no options', asksWith('options: [ ]'), question(which)],
  ['5: an unclosed bracket', asksWith('options: [A, Bcd'), malformed('USER_QUESTION', 'options:', ']')],
  [
    '5: a question of several lines',
    asks('category: choice', 'question: Which one?', 'The first is fast.', '', 'The second is safe.', 'required: true'),
    question({ question: 'Which one?\nThe first is fast.\n\nThe second is safe.' }),
  ],
  [
    '6: several blocks, back to back',
    `${asksWith()}${needs('type: api_key', 'name: KEY', 'description: For tests')}${asksWith()}`,
    question(which),
    dependency({}),
    question(which),
  ],
  [
    '6: an open question does not hide the dependency after it',
    `[USER_QUESTION]\ncategory: choice\n${needs('type: api_key', 'name: KEY', 'description: For tests')}`,
    malformed('USER_QUESTION', 'another block began'),
    dependency({}),
  ],
  [
    '6: Korean across any chunk boundary',
    asks('category: choice', 'question: 데이터베이스를 고르세요 🙂', 'options: [가나다, 마바사]'),
    question({ question: '데이터베이스를 고르세요 🙂', options: ['가나다', '마바사'] }),
  ],
  [
    '7: an unknown category, with the list',
    asks('category: urgent', 'question: Which?'),
    malformed('USER_QUESTION', 'category: must be one of: business, clarification, choice, confirmation'),
  ],
  [
    '7: an unknown type, with the list',
    needs('type: password', 'name: KEY', 'description: x'),
    malformed('DEPENDENCY_REQUEST', 'type: must be one of: api_key, env_variable, service, file, permission, package'),
  ],
  [
    '7: everything that is wrong at once',
    asks('category: x', 'options: a or b', 'required: perhaps'),
    malformed('USER_QUESTION', 'category:', 'question:', 'options:', 'required:'),
  ],
  ['8: a quoted block in a sentence', 'Print [USER_QUESTION] and later [/USER_QUESTION] to ask.\n'],
  [
    '8: a quoted block behind a marker',
    '> [USER_QUESTION]\n> category: choice\n> question: Which?\n> [/USER_QUESTION]\n',
  ],
  [
    '8: a block behind line numbers, as of cat -n',
    '     1\t[USER_QUESTION]\n     2\tcategory: choice\n     3\t[/USER_QUESTION]\n',
  ],
  ['8: a block in the lines of a diff', '+[USER_QUESTION]\n+category: choice\n+question: Which?\n+[/USER_QUESTION]\n'],
  ['9: bracket options are not lost', asksWith('options: [A, B]'), question({ ...which, options: ['A', 'B'] })],
  [
    '9: a block of more than 4 kB',
    asks('category: choice', `question: ${'long '.repeat(1_500)}`),
    question({ question: 'long '.repeat(1_500).trim() }),
  ],
  [
    '9: a phase waits for its files',
    '=== PHASE 2 COMPLETE ===\nCompleted: Phase 2 (Design)\nFiles created:\n- a.md\n- b.md\n- c.md\nReady for review.\n',
    phase(2, 'Design', ['a.md', 'b.md', 'c.md'], 'Phase 2 (Design)'),
  ],
  [
    '20: a default that is not one of the options',
    asksWith('options: [A, B]', 'default: C'),
    malformed('USER_QUESTION', 'default: C is not one of the options: A, B'),
  ],
]
