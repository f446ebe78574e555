import { describe, expect, it } from 'vitest'
import { widthOf } from '../../src/text/width.ts'
import { askUserQuestion, createSandbox, type Sandbox } from './sandbox.ts'
import { type TerminalOptions, terminal } from './tmux.ts'

// The numbered test cases of the command's specification, in a real terminal. Cases 13 and 14 ask again.

const database = {
  question: 'Which database?',
  header: 'Database',
  options: [
    { label: 'PostgreSQL', description: 'Relational DB' },
    { label: 'MongoDB', description: 'Document store' },
  ],
  multiSelect: false,
}
const features = {
  question: 'Which features to enable?',
  header: 'Features',
  options: [
    { label: 'Caching', description: 'Redis caching' },
    { label: 'Logging', description: 'JSON logs' },
    { label: 'Tracing', description: 'Spans' },
  ],
  multiSelect: true,
}
const usage = `Usage: AskUserQuestion '{"questions":[...]}'`
const one = 'Enter number or 0 for custom: '
const several = 'Enter numbers (e.g., 1,3) or 0 for custom: '

function ask(sandbox: Sandbox, input: unknown, options: TerminalOptions & { rich?: boolean } = {}) {
  const json = typeof input === 'string' ? input : JSON.stringify(input)
  const args = [...(options.rich ? [] : ['--plain']), ...(json === '' ? [] : [json])]
  return terminal(sandbox, args, {}, { executable: askUserQuestion, ...options })
}

async function answers(end: Promise<{ code: number; stdout: string }>) {
  const { code, stdout } = await end
  return { code, answers: JSON.parse(stdout).answers }
}

describe('AskUserQuestion in a terminal', () => {
  it('1: takes one choice for one question', async () => {
    const { shows, type, end } = ask(await createSandbox(), { questions: [database] })
    await shows(one)
    type('1')
    expect(await answers(end())).toEqual({ code: 0, answers: { Database: 'PostgreSQL' } })
  })

  it('2: takes several choices for one question', async () => {
    const { shows, type, end } = ask(await createSandbox(), { questions: [features] })
    await shows(several)
    type('1,2')
    expect(await answers(end())).toEqual({ code: 0, answers: { Features: 'Caching, Logging' } })
  })

  it('3: asks several questions one after the other', async () => {
    const { shows, type, end } = ask(await createSandbox(), { questions: [database, features] })
    await shows(one)
    type('2')
    await shows(several)
    type('1,3')
    expect(await answers(end())).toEqual({ code: 0, answers: { Database: 'MongoDB', Features: 'Caching, Tracing' } })
  })

  it('4: takes a custom answer', async () => {
    const { shows, type, end } = ask(await createSandbox(), { questions: [database] })
    await shows(one)
    type('0')
    await shows('Enter your answer: ')
    type('SQLite, 파일 하나')
    expect(await answers(end())).toEqual({ code: 0, answers: { Database: 'Other (custom: SQLite, 파일 하나)' } })
  })
})

describe('AskUserQuestion refuses', () => {
  const { question, header, options, multiSelect } = database
  const many = (n: number) =>
    Array.from({ length: n }, (_, i) => ({ ...database, question: `Q${i}?`, header: `H${i}` }))
  it.each([
    ['5: invalid JSON', '{"questions":[', `Error: Invalid JSON format\n${usage}`],
    ['5: no JSON at all', '', `Error: Missing JSON parameter\n${usage}`],
    ['6: no question', { questions: [{ header, options, multiSelect }] }, '- questions[0].question: Required'],
    ['6: no header', { questions: [{ question, options, multiSelect }] }, '- questions[0].header: Required'],
    ['6: no options', { questions: [{ question, header, multiSelect }] }, '- questions[0].options: Required'],
    ['6: no multiSelect', { questions: [{ question, header, options }] }, '- questions[0].multiSelect: Required'],
    ['7: no questions', { questions: [] }, '- questions: Array must contain at least 1 element(s)'],
    ['8: five questions', { questions: many(5) }, '- questions: Array must contain at most 4 element(s)'],
    [
      '9: one option',
      { questions: [{ ...database, options: options.slice(1) }] },
      '- questions[0].options: Array must contain at least 2 element(s)',
    ],
    [
      '10: five options',
      { questions: [{ ...database, options: [1, 2, 3, 4, 5].map(n => ({ label: `${n}`, description: 'd' })) }] },
      '- questions[0].options: Array must contain at most 4 element(s)',
    ],
    [
      '11: a header of 13',
      { questions: [{ ...database, header: 'h'.repeat(13) }] },
      '- questions[0].header: String must contain at most 12 character(s)',
    ],
    [
      '12: a question of 501',
      { questions: [{ ...database, question: 'q'.repeat(501) }] },
      '- questions[0].question: String must contain at most 500 character(s)',
    ],
  ])('%s', async (_, input, text) => {
    const sandbox = await createSandbox()
    const { shows, end } = ask(sandbox, input)
    expect(await end()).toEqual({ code: 1, stdout: '' })
    await shows(text)
    if (text.startsWith('- ')) await shows('Error: Validation failed')
    expect((await sandbox.hub.list({ status: 'all' })).requests).toEqual([])
  })
})

describe('AskUserQuestion after an invalid entry', () => {
  it.each(['2abc', '9', '-1', '1,2', '1,0', 'PostgreSQ'])('13: asks again after %s', async entry => {
    const sandbox = await createSandbox()
    const { shows, type, end } = ask(sandbox, { questions: [database] })
    await shows(one)
    type(entry)
    await shows(new RegExp(`(not one of the options|Only one option|on its own).*\n${one}`, 's'))
    expect((await sandbox.pending()).status).toBe('pending')
    type('2')
    expect(await answers(end())).toEqual({ code: 0, answers: { Database: 'MongoDB' } })
  })

  it.each(['1,1', '1,0', '1,9', '1,', ','])('13: asks again after %s in a multiple choice', async entry => {
    const sandbox = await createSandbox()
    const { shows, type, end } = ask(sandbox, { questions: [features] })
    await shows(several)
    type(entry)
    await shows(/(not one of the options|chosen twice|on its own|nothing between)[^\n]*\n.*custom: $/m)
    type('3')
    expect(await answers(end())).toEqual({ code: 0, answers: { Features: 'Tracing' } })
  })

  it('14: asks again after an empty line', async () => {
    const sandbox = await createSandbox()
    const { shows, type, end } = ask(sandbox, { questions: [database] })
    await shows(one)
    type('')
    await shows('An answer is needed.')
    expect((await sandbox.pending()).status).toBe('pending')
    type('1')
    expect(await answers(end())).toEqual({ code: 0, answers: { Database: 'PostgreSQL' } })
  })
})

describe('AskUserQuestion takes', () => {
  it('15: a number', async () => {
    const { shows, type, end } = ask(await createSandbox(), { questions: [database] })
    await shows(one)
    type(' 1 ')
    expect(await answers(end())).toEqual({ code: 0, answers: { Database: 'PostgreSQL' } })
  })

  it('16: several numbers', async () => {
    const { shows, type, end } = ask(await createSandbox(), { questions: [features] })
    await shows(several)
    type('1,3')
    expect(await answers(end())).toEqual({ code: 0, answers: { Features: 'Caching, Tracing' } })
  })

  it.each(['0', 'other', 'OTHER'])('17: %s for a custom answer', async entry => {
    const { shows, type, end } = ask(await createSandbox(), { questions: [features] })
    await shows(several)
    type(entry)
    await shows('Enter your answer: ')
    type('none of them')
    expect(await answers(end())).toEqual({ code: 0, answers: { Features: 'Other (custom: none of them)' } })
  })

  it('18: a custom answer after an empty one', async () => {
    const sandbox = await createSandbox()
    const { shows, type, end } = ask(sandbox, { questions: [database] })
    await shows(one)
    type('0')
    await shows('Enter your answer: ')
    type('  ')
    await shows('cannot be empty')
    expect((await sandbox.pending()).status).toBe('pending')
    type('SQLite')
    expect(await answers(end())).toEqual({ code: 0, answers: { Database: 'Other (custom: SQLite)' } })
  })

  it('the same entries on a rich terminal', async () => {
    const sandbox = await createSandbox()
    const { shows, press, write, end } = ask(sandbox, { questions: [database, features] }, { rich: true })
    await shows('1 of 2  Database')
    await shows('leave open')
    press('0', 'Enter')
    await shows('Your own answer:')
    write('SQLite')
    press('Enter')
    await shows('2 of 2  Features')
    write('1,3')
    await shows('[x] 3. Tracing')
    press('Enter')
    await shows('Send these answers')
    press('Enter')
    expect(await answers(end())).toEqual({
      code: 0,
      answers: { Database: 'Other (custom: SQLite)', Features: 'Caching, Tracing' },
    })
  })
})

describe('the plain prompt', () => {
  it('draws the box of the specification', async () => {
    const { shows, screen, type, end } = ask(await createSandbox(), { questions: [database] })
    await shows(one)
    const lines = screen().split('\n')
    const top = lines.findIndex(line => line.startsWith('┌'))
    expect(lines.slice(top, top + 10).map(line => line.trimEnd())).toEqual([
      '┌─ Database ──────────────────────────────────────┐',
      '│ Which database?',
      '│',
      '│  1. PostgreSQL',
      '│     Relational DB',
      '│  2. MongoDB',
      '│     Document store',
      '│  0. Other (custom input)',
      '└─────────────────────────────────────────────────┘',
      one.trimEnd(),
    ])
    type('1')
    await end()
  })

  it.each([40, 80, 200])('lines the box up with Korean and Chinese at %i columns', async columns => {
    const korean = {
      question: '어떤 데이터베이스를 사용할까요? 운영 환경에서 가장 오래 쓸 것을 골라 주세요. 选择一个数据库。',
      header: '데이터베이스',
      options: [
        {
          label: '포스트그레스 👩‍🚀',
          description: '여러 대의 컴퓨터가 함께 쓰는 관계형 데이터베이스이고 e\u0301 도 있습니다',
        },
        { label: '数据库', description: '一个文件，不需要服务器，适合在一台机器上使用，非常简单' },
      ],
      multiSelect: false,
    }
    const { shows, screen, type, end } = ask(await createSandbox(), { questions: [korean] }, { columns })
    await shows('Enter number')
    const lines = screen().split('\n')
    const top = lines.find(line => line.startsWith('┌'))?.trimEnd() ?? ''
    const bottom = lines.find(line => line.startsWith('└'))?.trimEnd() ?? ''
    expect(widthOf(top)).toBe(widthOf(bottom))
    expect(widthOf(top)).toBe(Math.min(columns, 51))
    const body = lines.slice(
      lines.findIndex(line => line.startsWith('┌')) + 1,
      lines.findIndex(line => line.startsWith('└')),
    )
    expect(body.every(line => line.startsWith('│'))).toBe(true)
    // Nothing is cut off at any width.
    const shown = body
      .map(line => line.slice(1).trim())
      .join('')
      .replaceAll(/\s/g, '')
    for (const text of [korean.question, ...korean.options.flatMap(option => [option.label, option.description])]) {
      expect(shown).toContain(text.replaceAll(/\s/g, ''))
    }
    type('2')
    expect(await answers(end())).toEqual({ code: 0, answers: { 데이터베이스: '数据库' } })
  })

  it('takes pasted lines in order and loses none', async () => {
    const { shows, paste, end } = ask(await createSandbox(), { questions: [database, features] })
    await shows(one)
    paste('0\nSQLite\n1,3\n')
    expect(await answers(end())).toEqual({
      code: 0,
      answers: { Database: 'Other (custom: SQLite)', Features: 'Caching, Tracing' },
    })
  })

  it('leaves the request open at the end of the input, and says so', async () => {
    const sandbox = await createSandbox()
    const { shows, press, end } = ask(sandbox, { questions: [database] })
    await shows(one)
    press('C-d')
    const { code, stdout } = await end()
    const { id } = await sandbox.pending()
    expect({ code, ticket: JSON.parse(stdout) }).toEqual({
      code: 75,
      ticket: { status: 'pending', id, wait: `AskUserQuestion --wait ${id}`, resume: `AskUserQuestion --wait ${id}` },
    })
    await shows('stays open')
  })

  it('is the default on a dumb terminal', async () => {
    const sandbox = await createSandbox()
    const args = ['TERM=dumb', process.execPath, askUserQuestion, JSON.stringify({ questions: [database] })]
    const { shows, type, end } = terminal(sandbox, args, {}, { interpreter: 'env' })
    await shows(one)
    type('1')
    expect((await end()).code).toBe(0)
  })

  it('takes /skip and /decline', async () => {
    const sandbox = await createSandbox()
    const { shows, type, end } = ask(sandbox, { questions: [database] })
    await shows(one)
    type('/skip')
    await shows('cannot be skipped')
    type('/decline')
    await shows('Add a reason')
    type('/decline not my call')
    const { code, stdout } = await end()
    expect(code).toBe(10)
    expect(JSON.parse(stdout)).toMatchObject({ answers: {}, status: 'declined', reason: 'not my call' })
  })

  it('does not approve a dangerous command by pasted text', async () => {
    const sandbox = await createSandbox()
    const action = { command: 'rm -rf /srv', cwd: sandbox.cwd, digest: 'd', severity: 'critical' as const }
    const { id } = await sandbox.ask({ kind: 'approval', action })
    const { shows, paste, type, end } = terminal(sandbox, ['answer', id, '--plain'])
    await shows('Enter number: ')
    paste('some notes\nyes\nmore\n')
    await shows('pasted or piped input does not count')
    await shows('"more" is not one of the options')
    expect((await sandbox.hub.get(id)).status).toBe('pending')
    type('yes')
    expect((await end()).code).toBe(0)
  })

  it('refuses an empty line where options are all there is to answer, and points to /skip', async () => {
    const sandbox = await createSandbox()
    const shipIt = { question: 'Ship it?', options: ['yes', 'no'] }
    const one = await sandbox.ask({ questions: [shipIt], required: false })
    const open = await sandbox.run(['answer', one.id, '--plain'], { input: '\n' })
    expect(open.stderr).toContain('Nothing is chosen. Enter a number, or type /skip to skip the request.')
    expect((await sandbox.hub.get(one.id)).status).toBe('pending')
    expect(await sandbox.run(['answer', one.id, '--plain'], { input: '\n/skip\n' })).toMatchObject({ code: 0 })
    expect((await sandbox.hub.get(one.id)).status).toBe('skipped')
    const two = await sandbox.ask({ questions: [shipIt, { question: 'Why?' }], required: false })
    const blank = await sandbox.run(['answer', two.id, '--plain'], { input: '\n\n' })
    expect(blank.stderr).toContain('No question is answered. Answer at least one, or type /skip')
    expect((await sandbox.hub.get(two.id)).status).toBe('pending')
    await sandbox.run(['answer', two.id, '--plain'], { input: '2\n\n' })
    expect((await sandbox.hub.get(two.id)).outcome?.answers).toMatchObject([{ selected: ['no'] }, { text: null }])
  })

  it('takes a slash command at every prompt, and two slashes as a literal slash', async () => {
    const sandbox = await createSandbox()
    const ask = () => ({ questions: [{ question: 'Q?', options: ['a', 'b'], allowOther: true, multiSelect: true }] })
    const first = await sandbox.ask(ask())
    const left = await sandbox.run(['answer', first.id, '--plain'], { input: '0\n/Leave\n' })
    expect(left.code).toBe(1)
    expect((await sandbox.hub.get(first.id)).status).toBe('pending')
    const own = await sandbox.run(['answer', first.id, '--plain'], { input: '1,2\n0\n' })
    expect(own.code).toBe(0)
    const { outcome } = await sandbox.hub.get(first.id)
    expect(outcome?.answers[0]?.selected).toEqual(['a', 'b'])
    const second = await sandbox.ask({ questions: [{ question: 'Where?' }] })
    const path = await sandbox.run(['answer', second.id, '--plain'], { input: '/lib\n//lib\n' })
    expect(path.stderr).toContain('/lib is not a command')
    expect((await sandbox.hub.get(second.id)).outcome?.answers[0]?.text).toBe('/lib')
  })
})

describe('AskUserQuestion with a here-document', () => {
  it.each([
    ['a terminal', [], ''],
    ['a dumb terminal', [], 'TERM=dumb '],
    ['a terminal with --plain', ['--plain'], ''],
  ])('prompts at the keyboard of %s', async (_, flags, before) => {
    const sandbox = await createSandbox()
    const json = JSON.stringify({ questions: [database] })
    const command = `${before}"${process.execPath}" "${askUserQuestion}" ${flags.join(' ')} - <<'EOF'\n${json}\nEOF\n`
    const { shows, press, end, screen } = terminal(sandbox, ['-c', command], {}, { interpreter: 'bash' })
    await shows(before || flags.length > 0 ? one : 'leave open')
    press('2', 'Enter')
    expect(await answers(end())).toEqual({ code: 0, answers: { Database: 'MongoDB' } })
    expect(screen().trim().split('\n').at(-1)).toBe('✔ Which database? MongoDB')
  })
})
