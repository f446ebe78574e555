import { asksWith, type Case, malformed, phase, question, task } from './case.ts'

const head = '=== PHASE 2 COMPLETE ===\n'

export const phases: Case[] = [
  [
    'files under two headings',
    `${head}Files created:\n- a\nFiles modified:\n- b\nReady for review.\n`,
    phase(2, 'Phase 2', ['a', 'b']),
  ],
  [
    'stars, backticks and indentation',
    `${head}Files changed:\n  * \`src/a.ts\`\n  - b c.txt\nReady for review\n`,
    phase(2, 'Phase 2', ['src/a.ts', 'b c.txt']),
  ],
  [
    'a title that is no name in parentheses',
    `${head}Completed: the design\n`,
    phase(2, 'the design', [], 'the design'),
  ],
  [
    'a phase that has a name',
    '=== PHASE design COMPLETE ===\nReady for review.\n',
    phase('design', 'Phase design', []),
  ],
  ['a phase 2.1', '=== PHASE 2.1 COMPLETE ===\n', phase('2.1', 'Phase 2.1', [])],
  ['the end of a phase is in any case', `${head}READY FOR REVIEW.\nmore\n- not a file\n`, phase(2, 'Phase 2', [])],
  [
    'blank lines in a phase',
    `${head}\n\nCompleted: Phase 2 (Design)\n\n- a\n\n\nReady for review.\n`,
    phase(2, 'Design', ['a'], 'Phase 2 (Design)'),
  ],
  [
    'a summary beside what is completed',
    `${head}Completed: Phase 2 (Design)\nSummary: Two tables, no joins\nFiles created:\n- a\n`,
    phase(2, 'Design', ['a'], 'Phase 2 (Design)', 'Two tables, no joins'),
  ],
  [
    'a list of what is completed',
    `${head}Phase: Design\nCompleted:\n- the tables\n- the \`API\`\nSummary: No joins\nFiles created:\n- a\n`,
    phase(2, 'Design', ['a'], null, '- the tables\n- the `API`\n\nNo joins'),
  ],
  [
    'a summary in points',
    `${head}Summary:\n* no joins\n* no indexes\nFiles modified:\n- a\n`,
    phase(2, 'Phase 2', ['a'], null, '- no joins\n- no indexes'),
  ],
  [
    'what is completed beside the name of the phase',
    `${head}Phase: Design\nCompleted: both tables\n`,
    phase(2, 'Design', [], 'both tables', 'both tables'),
  ],
  ['a foreign line ends a phase', `${head}- a\nNow I go on.\n- b\n`, phase(2, 'Phase 2', ['a'])],
  [
    'a question ends a phase',
    `${head}- a\n${asksWith()}`,
    phase(2, 'Phase 2', ['a']),
    question({ question: 'Which?' }),
  ],
  [
    'a fence ends a phase',
    `${head}- a\n\`\`\`\n${head}\`\`\`\n`,
    phase(2, 'Phase 2', ['a']),
    { type: 'fenced', tag: 'PHASE', text: '' },
  ],
  [
    'a phase ends a phase',
    `${head}- a\n=== PHASE 3 COMPLETE ===\n- b\n`,
    phase(2, 'Phase 2', ['a']),
    phase(3, 'Phase 3', ['b']),
  ],
  ['a line of 10 kB ends a phase', `${head}- a\n- ${'x'.repeat(10_000)}\n- b\n`, phase(2, 'Phase 2', ['a'])],
  [
    'CRLF and colour',
    `\u001b[32m${head.trimEnd()}\u001b[0m\r\n- a\r\n\u001b[1mReady for review.\u001b[0m\r\n`,
    phase(2, 'Phase 2', ['a']),
  ],
  [
    'a path that is too long',
    `${head}- ${'x'.repeat(4_097)}\nReady for review.\n`,
    malformed('PHASE', 'files[0]: is too long'),
  ],
  ['a NUL byte in a path', `${head}- a\0b\nReady for review.\n`, malformed('PHASE', 'NUL')],
  [
    'a task with its files',
    '=== CUSTOM TASK COMPLETE ===\nTask: Rename\nFiles changed:\n- a.ts\nReady for review.\n',
    task('Rename', null, ['a.ts']),
  ],
  ['an empty title', `${head}Completed: Phase 2 ( )\nReady for review.\n`, phase(2, 'Phase 2 ( )', [], 'Phase 2 ( )')],
  ['a phase in a sentence', 'When done, print === PHASE 1 COMPLETE === on a line.\n'],
  ['a phase without its number', '=== PHASE COMPLETE ===\n'],
  ['a heading that looks like a phase', '=== PHASE 1 ===\n=== COMPLETE ===\n==== PHASE 1 COMPLETE ====\n'],
]
