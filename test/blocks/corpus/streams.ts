import { asks, asksWith, type Case, dependency, error, malformed, needs, phase, question, task } from './case.ts'

const which = { question: 'Which?' }
const plain = asksWith('options: [a, b]')
const found = question({ ...which, options: ['a', 'b'] })
const closing = '[/USER_QUESTION]\n'
const bytes = (...parts: (string | number[])[]) => Buffer.concat(parts.map(part => Buffer.from(part as string)))

export const streams: Case[] = [
  ['nothing', ''],
  ['a line break', '\n'],
  ['text', 'Reading src/main.ts\nRunning tests\nAll 214 tests pass.\n'],
  ['text without a line break', 'Reading src/main.ts'],
  ['a block between texts', `before\n${plain}after\n`, found],
  ['a block at the very end, without a line break', plain.trimEnd(), found],
  ['a block as the first thing', plain, found],
  ['CRLF', plain.replaceAll('\n', '\r\n'), found],
  ['CR and CRLF mixed', plain.replaceAll('\n', '\r\r\n'), found],
  ['lone CRs inside of values', asks('category: choice', 'question: Whi\rch?'), question(which)],
  ['space around tags', `  \t${plain.replaceAll('\n', '  \t\n')}`, found],
  ['coloured tags', plain.replaceAll(/^(\[.*)$/gm, '\u001b[1;33m$1\u001b[0m'), found],
  ['coloured lines', plain.replaceAll(/^(.*)$/gm, '\u001b[38;5;208m$1\u001b[39m'), found],
  [
    'colour inside of values',
    asks('category: \u001b[32mchoice\u001b[0m', 'question: \u001b[1mWhich?\u001b[22m'),
    question(which),
  ],
  [
    'a link and a window title',
    `\u001b]0;working\u0007${plain}\u001b]8;;https://example.com\u001b\\x\u001b]8;;\u001b\\\n`,
    found,
  ],
  ['cursor codes around a tag', `\u001b[2K\u001b[1G${plain}`, found],
  ['a byte order mark', `\ufeff${plain}`, found],
  ['colour within a tag is no tag', asksWith().replace('[USER_', '[USER_\u001b[1m')],
  ['two questions', plain + plain, found, found],
  ['a hundred questions', plain.repeat(100), ...Array.from({ length: 100 }, () => found)],
  [
    'all kinds in one',
    `${plain}${needs('type: api_key', 'name: KEY', 'description: For tests')}[ERROR]\nmessage: x\n[/ERROR]\n=== PHASE 1 COMPLETE ===\nReady for review.\n=== CUSTOM TASK COMPLETE ===\n`,
    found,
    dependency({}),
    error({ message: 'x' }),
    phase(1, 'Phase 1', []),
    task(null, null),
  ],
  ['a megabyte on one line', `${'x'.repeat(1_000_000)}\n${plain}`, found],
  ['a megabyte on one line that looks like a tag', `${' '.repeat(1_000_000)}[USER_QUESTION]\n`],
  ['a megabyte of tags on one line', `${'[USER_QUESTION]'.repeat(70_000)}\n${plain}`, found],
  ['a tag with text behind it', `[USER_QUESTION] now\ncategory: choice\n${closing}`],
  ['a tag with text before it', `now [USER_QUESTION]\ncategory: choice\n${closing}`],
  ['a tag in another case', asksWith().toLowerCase()],
  ['a tag that nobody knows', '[USER_QUESTIONS]\nquestion: x\n[/USER_QUESTIONS]\n'],
  ['a closing tag alone', closing],
  ['bytes that are no UTF-8 beside a block', bytes([0xff, 0xfe, 0x80, 0x0a], plain, [0xc3]), found],
  [
    'bytes that are no UTF-8 in a value',
    bytes('[USER_QUESTION]\ncategory: choice\nquestion: Wh', [0xff], 'ich?\n', closing),
    question({ question: 'Wh\ufffdich?' }),
  ],
  ['NUL bytes beside a block', `\0\0\n${plain}\0`, found],
  [
    'bare [ERROR] lines of a build tool',
    '[ERROR] COMPILATION ERROR :\n[ERROR]\n[INFO] 1 error\n[ERROR] \n[ERROR] -> [Help 1]\n[ERROR]\n',
  ],
  ['a question after a bare [ERROR] line', `[ERROR]\n${plain}`, found],
  [
    'a fence after a bare [ERROR] line',
    `[ERROR]\n\n\`\`\`\n${plain}\`\`\`\n`,
    { type: 'fenced', tag: 'USER_QUESTION', text: 'category: choice\nquestion: Which?\noptions: [a, b]' },
  ],
]

export const broken: Case[] = [
  [
    'a block that never ends',
    '[USER_QUESTION]\ncategory: choice\n',
    malformed('USER_QUESTION', 'The output ended before [/USER_QUESTION]'),
  ],
  ['an opening tag and nothing else', '[DEPENDENCY_REQUEST]', malformed('DEPENDENCY_REQUEST', 'The output ended')],
  [
    'a question inside of a question',
    `[USER_QUESTION]\ncategory: choice\n${plain}`,
    malformed('USER_QUESTION', 'another block began before [/USER_QUESTION]'),
    found,
  ],
  [
    'three that are not closed and one that is',
    `[USER_QUESTION]\n[DEPENDENCY_REQUEST]\n[USER_QUESTION]\n${plain}`,
    malformed('USER_QUESTION', 'began'),
    malformed('DEPENDENCY_REQUEST', 'began'),
    malformed('USER_QUESTION', 'began'),
    found,
  ],
  [
    'a phase inside of a question',
    '[USER_QUESTION]\ncategory: choice\n=== PHASE 1 COMPLETE ===\n',
    malformed('USER_QUESTION', 'began'),
    phase(1, 'Phase 1', []),
  ],
  ['a question inside of an error', `[ERROR]\nmessage: x\n${plain}`, malformed('ERROR', 'began'), found],
  [
    'closed by the wrong tag',
    `[USER_QUESTION]\ncategory: choice\nquestion: Which?\n[/DEPENDENCY_REQUEST]\n`,
    malformed('USER_QUESTION', 'ended before [/USER_QUESTION]'),
  ],
  [
    'closed on the line of a field',
    `[USER_QUESTION]\ncategory: choice\nquestion: Which? [/USER_QUESTION]\n`,
    malformed('USER_QUESTION', 'ended before'),
  ],
  [
    'a block of 300 kB',
    `[USER_QUESTION]\n${'text\n'.repeat(60_000)}${closing}${plain}`,
    malformed('USER_QUESTION', 'too long'),
    found,
  ],
  [
    'a block with a line of 300 kB',
    `[USER_QUESTION]\ncategory: choice\nquestion: ${'x'.repeat(300_000)}\n${closing}${plain}`,
    malformed('USER_QUESTION', 'too long'),
    found,
  ],
  [
    '300,000 empty lines in a block',
    `[USER_QUESTION]\n${'\n'.repeat(300_000)}${closing}${plain}`,
    malformed('USER_QUESTION', 'too long'),
    found,
  ],
  [
    'a phase of 300 kB',
    `=== PHASE 1 COMPLETE ===\n${'- a/long/path/to/a/file.txt\n'.repeat(12_000)}${plain}`,
    malformed('PHASE', 'too long'),
    found,
  ],
  [
    'a phase of too many files',
    `=== PHASE 1 COMPLETE ===\n${'- a\n'.repeat(1_001)}Ready for review.\n${plain}`,
    malformed('PHASE', 'files'),
    found,
  ],
]
