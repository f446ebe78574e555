import { asksWith, type Case, fenced, question } from './case.ts'

const plain = asksWith()
const inner = 'category: choice\nquestion: Which?'
const found = question({ question: 'Which?' })
const quoted = fenced('USER_QUESTION', inner)
const lines = (count: number) => 'text\n'.repeat(count)

export const fences: Case[] = [
  ['a block in a fence', `Ask like this:\n\`\`\`\n${plain}\`\`\`\n`, quoted],
  ['a fence with a language', `\`\`\`text\n${plain}\`\`\`\n${plain}`, quoted, found],
  ['an indented fence', `  \`\`\`\n${plain}  \`\`\`\n${plain}`, quoted, found],
  ['a coloured fence', `\u001b[2m\`\`\`\u001b[0m\n${plain}\u001b[2m\`\`\`\u001b[0m\n${plain}`, quoted, found],
  ['two blocks in one fence', `\`\`\`\n${plain}${plain}\`\`\`\n`, quoted, quoted],
  ['a question after a fence', `\`\`\`sh\nnpm test\n\`\`\`\n${plain}`, found],
  ['a question between fences', `\`\`\`\na\n\`\`\`\n${plain}\`\`\`\nb\n\`\`\`\n`, found],
  [
    'a fence of four backticks with one of three in it',
    `\`\`\`\`\n\`\`\`\n${plain}\`\`\`\n${plain}\`\`\`\`\n${plain}`,
    quoted,
    quoted,
    found,
  ],
  ['a closing fence may be longer', `\`\`\`\n${plain}\`\`\`\`\`\n${plain}`, quoted, found],
  ['a fence with a language does not close', `\`\`\`\n\`\`\`js\n${plain}\`\`\`\n${plain}`, quoted, found],
  ['code between backticks on one line is no fence', `\`\`\`npm test\`\`\`\n${plain}`, found],
  ['backticks after the language are no fence', `\`\`\`js \`\n${plain}`, found],
  ['a fence with spaces after it', `\`\`\`  \n${plain}\`\`\` \n${plain}`, quoted, found],
  ['a fence with a tab and a carriage return after it', `\`\`\`\r\n${plain}\`\`\`\t\r\n${plain}`, quoted, found],
  ['a fence with a language in another script', `\`\`\`코드\n${plain}\`\`\`\n${plain}`, quoted, found],
  ['a fence with a coloured language', `\`\`\`\u001b[2mjs\u001b[0m\n${plain}\`\`\`\n${plain}`, quoted, found],
  [
    'a fence with backticks that an escape sequence hides',
    `\`\`\`js\u001b]0;\`\u0007\n${plain}\`\`\`\n${plain}`,
    quoted,
    found,
  ],
  ['a fence with a language that is too long', `\`\`\`${'x'.repeat(9_000)}\n${plain}`, found],
  ['two backticks are no fence', `\`\`\n${plain}`, found],
  ['a block that the fence cuts off', `\`\`\`\n[USER_QUESTION]\n${inner}\n\`\`\`\n${plain}`, quoted, found],
  ['a block that the output cuts off', `\`\`\`\n[USER_QUESTION]\n${inner}`, quoted],
  [
    'an opening inside of an open block in a fence',
    `\`\`\`\n[USER_QUESTION]\n${plain}\`\`\`\n`,
    fenced('USER_QUESTION', ''),
    quoted,
  ],
  ['a phase in a fence', '```\n=== PHASE 1 COMPLETE ===\n- a\n```\n', fenced('PHASE', '')],
  ['an error in a fence', '```\n[ERROR]\nmessage: x\n[/ERROR]\n[ERROR]\nlog\n```\n', fenced('ERROR', 'message: x')],
  ['an unclosed fence, after 200 lines', `\`\`\`\n${lines(200)}${plain}`, found],
  ['an unclosed fence, after 199 lines', `\`\`\`\n${lines(199)}${plain}`, fenced('USER_QUESTION', '')],
  [
    'an unclosed fence, its end inside of a block',
    `\`\`\`\n${lines(198)}${plain}${plain}`,
    fenced('USER_QUESTION', 'category: choice'),
    found,
  ],
  ['a fence that is closed on its last line', `\`\`\`\n${lines(199)}\`\`\`\n${plain}`, found],
  ['an unclosed fence with long lines', `\`\`\`\n${`${'x'.repeat(10_000)}\n`.repeat(200)}${plain}`, found],
  [
    'an unclosed fence with a long line that has a tag',
    `\`\`\`\n${lines(199)}${'[USER_QUESTION]'.repeat(1_000)}\n${plain}`,
    found,
  ],
  [
    'a fence inside of a block is part of it',
    `[USER_QUESTION]\n${inner}\n\`\`\`\n[/USER_QUESTION]\n${plain}`,
    question({ question: 'Which?\n```' }),
    found,
  ],
]
