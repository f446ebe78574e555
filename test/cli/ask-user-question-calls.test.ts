import { execFileSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { option, question, questioner, questions } from './questionnaire.ts'
import { askUserQuestion, createSandbox } from './sandbox.ts'

const long = (length: number, character = 'x') => character.repeat(length)
const usage = `Usage: AskUserQuestion '{"questions":[...]}'`
const without = (field: string) => ({ ...question(), [field]: undefined })

// The numbers are those of the test cases in the command's document.
const invalid: [string, string, string[]][] = [
  ['6: a missing question', questions(without('question')), ['questions[0].question: Required']],
  ['6: a missing header', questions(without('header')), ['questions[0].header: Required']],
  ['6: missing options', questions(without('options')), ['questions[0].options: Required']],
  ['6: a missing multiSelect', questions(without('multiSelect')), ['questions[0].multiSelect: Required']],
  [
    '6: an empty question object',
    questions({}),
    ['question', 'header', 'options', 'multiSelect'].map(field => `questions[0].${field}: Required`),
  ],
  ['6: no questions at all', '{}', ['questions: Required']],
  ['7: an empty list of questions', questions(), ['questions: Array must contain at least 1 element(s)']],
  [
    '8: five questions',
    questions(...[1, 2, 3, 4, 5].map(n => question({ header: `H${n}`, question: `Q${n}?` }))),
    ['questions: Array must contain at most 4 element(s)'],
  ],
  [
    '9: one option',
    questions(question({ options: [option('a')] })),
    ['questions[0].options: Array must contain at least 2 element(s)'],
  ],
  [
    '10: five options',
    questions(question({ options: ['a', 'b', 'c', 'd', 'e'].map(label => option(label)) })),
    ['questions[0].options: Array must contain at most 4 element(s)'],
  ],
  [
    '11: a header of 13 characters',
    questions(question({ header: long(13) })),
    ['questions[0].header: String must contain at most 12 character(s)'],
  ],
  [
    '12: a question of 501 characters',
    questions(question({ question: long(501) })),
    ['questions[0].question: String must contain at most 500 character(s)'],
  ],
  [
    'a label of 51 and a description of 201 characters',
    questions(question({ options: [option(long(51), { description: long(201) }), option('b')] })),
    [
      'questions[0].options[0].label: String must contain at most 50 character(s)',
      'questions[0].options[0].description: String must contain at most 200 character(s)',
    ],
  ],
  [
    'texts that are empty or blank',
    questions(question({ question: '', header: ' \n ', options: [option('', { description: '\t' }), option('b')] })),
    ['question', 'header', 'options[0].label', 'options[0].description'].map(
      field => `questions[0].${field}: String must contain at least 1 character(s)`,
    ),
  ],
  [
    'values of other types',
    questions(
      question({ question: 7, header: null, options: { a: 1 }, multiSelect: 'yes' }),
      'Which?',
      question({ options: ['a', option('b', { preview: false })] }),
    ),
    [
      'questions[0].question: Expected string, received number',
      'questions[0].header: Expected string, received null',
      'questions[0].options: Expected array, received object',
      'questions[0].multiSelect: Expected boolean, received string',
      'questions[1]: Expected object, received string',
      'questions[2].options[0]: Expected object, received string',
      'questions[2].options[1].preview: Expected string, received boolean',
    ],
  ],
  ['a list instead of an object', '[]', ['Expected object, received array']],
  ['a number instead of an object', '4', ['Expected object, received number']],
  [
    'duplicate labels, questions and headers',
    questions(
      question({ options: [option('Caf\u00e9'), option(' Cafe\u0301 ')] }),
      question({ header: ' Database ', question: 'Which database? ' }),
    ),
    [
      'questions[0].options[1].label: Must differ from every earlier label',
      'questions[1].question: Must differ from every earlier question',
      'questions[1].header: Must differ from every earlier header',
    ],
  ],
  [
    'texts that the hub cannot store',
    `{"questions":[${JSON.stringify(question({ header: 'a\nb' })).replace('Which database?', '\\u0000 \\ud800?')}]}`,
    [
      'questions[0].question: String must not contain a NUL character',
      'questions[0].question: String must not contain half of a surrogate pair',
      'questions[0].header: String must be a single line',
    ],
  ],
  [
    "the document's own example of three problems",
    questions({ ...question({ header: long(13), options: [option('a')] }), multiSelect: undefined }),
    [
      'questions[0].header: String must contain at most 12 character(s)',
      'questions[0].options: Array must contain at least 2 element(s)',
      'questions[0].multiSelect: Required',
    ],
  ],
]

describe('a bad call of AskUserQuestion', () => {
  it.each(invalid)('reports every problem at once: %s', async (_, json, problems) => {
    const sandbox = await createSandbox()
    const lines = ['Error: Validation failed', ...problems.map(problem => `- ${problem}`)]
    expect(await questioner(sandbox).ask([json])).toEqual({ code: 1, stdout: '', stderr: `${lines.join('\n')}\n` })
    expect((await sandbox.hub.list({ status: 'all' })).requests).toEqual([])
  })

  it.each([
    ['5: text', 'which database?'],
    ['5: truncated JSON', '{"questions":['],
    ['a missing bracket', questions(question()).slice(0, -1)],
    ['a trailing comma', '{"questions":[],}'],
    ['single quotes inside', "{'questions':[]}"],
    ['quotes that do not match', `'${questions(question())}"`],
  ])('reports invalid JSON: %s', async (_, json) => {
    const { ask } = questioner(await createSandbox())
    expect(await ask([json])).toEqual({ code: 1, stdout: '', stderr: `Error: Invalid JSON format\n${usage}\n` })
  })

  it.each([
    ['no argument', []],
    ['an empty argument', ['']],
    ['a blank argument', [' \n']],
    ['an empty stdin', ['-']],
    ['only a flag', ['--async']],
  ])('reports missing JSON: %s', async (_, args) => {
    const { ask } = questioner(await createSandbox())
    expect(await ask(args)).toEqual({ code: 1, stdout: '', stderr: `Error: Missing JSON parameter\n${usage}\n` })
  })

  it.each([
    ['an unknown option', ['--frobnicate', '{}'], 'Unknown option --frobnicate'],
    ['an option with control characters', ['--\u001b[31m', '{}'], 'Unknown option'],
    ['--wait without an id', ['--wait'], '--wait needs a value'],
    ['--wait with another argument', ['--wait', 'req_1', '{}'], '--wait takes an id and nothing else'],
    ['--file and JSON', ['--file', 'x.json', '{}'], 'Give the JSON or --file, not both'],
    ['a flag twice', ['--async', '--async', '{}'], '--async is given twice'],
    ['an unknown --no-human', ['--no-human', 'maybe', '{}'], '--no-human must be fail or park'],
  ])('prints the usage: %s', async (_, args, what) => {
    const { code, stdout, stderr } = await questioner(await createSandbox()).ask(args)
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(/^Error: .+\nUsage: AskUserQuestion .+--help\n$/)
    expect(stderr.split('\n')[0]).toBe(`Error: ${what}`)
  })

  it('does not create a database, nor does --help', async () => {
    const sandbox = await createSandbox()
    const { ask } = questioner(sandbox)
    const env = { BECKON_HOME: join(sandbox.root, 'fresh') }
    for (const args of [['--help'], [], ['{'], ['{}'], ['--nope']]) await ask(args, { env })
    expect(existsSync(env.BECKON_HOME)).toBe(false)
  })

  it('reports a missing file, and bytes that are not UTF-8', async () => {
    const sandbox = await createSandbox()
    const { ask } = questioner(sandbox)
    writeFileSync(join(sandbox.cwd, 'latin1.json'), Buffer.from('{"caf\u00e9":1}', 'latin1'))
    expect(await ask(['--file', 'nowhere.json'])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^AskUserQuestion: file: nowhere\.json cannot be read: [^\n]+\n$/),
    })
    expect((await ask(['--file', 'latin1.json'])).stderr).toBe('AskUserQuestion: file: latin1.json is not UTF-8 text\n')
    expect((await ask(['-'], { input: Buffer.from([0xff, 0xfe]) })).stderr).toBe(
      'AskUserQuestion: file: stdin is not UTF-8 text\n',
    )
  })
})

describe('the limits of AskUserQuestion', () => {
  const raised = {
    ASK_MAX_QUESTIONS: '6',
    ASK_MAX_OPTIONS: '7',
    ASK_HEADER_MAX_LENGTH: '20',
    ASK_QUESTION_MAX_LENGTH: '600',
  }
  const large = [1, 2, 3, 4, 5, 6].map(n =>
    question({
      question: `${long(599)}${n}`,
      header: `${long(19)}${n}`,
      options: [...'abcdefg'].map(label => option(label)),
    }),
  )

  it('come from the environment', async () => {
    const sandbox = await createSandbox()
    const { ask } = questioner(sandbox)
    expect(await ask(['--async', questions(...large)], { env: raised })).toMatchObject({ code: 0, stderr: '' })
    expect(await ask(['--async', questions(...large, question())], { env: raised })).toMatchObject({
      code: 1,
      stderr: 'Error: Validation failed\n- questions: Array must contain at most 6 element(s)\n',
    })
    const lowered = { ASK_QUESTION_MAX_LENGTH: '5', ASK_HEADER_MAX_LENGTH: '4' }
    expect((await ask([questions(question())], { env: lowered })).stderr).toBe(
      [
        'Error: Validation failed',
        '- questions[0].question: String must contain at most 5 character(s)',
        '- questions[0].header: String must contain at most 4 character(s)',
        '',
      ].join('\n'),
    )
  })

  it('are the defaults if the variable is empty, and count visible characters', async () => {
    const { ask } = questioner(await createSandbox())
    const env = { ASK_HEADER_MAX_LENGTH: '' }
    expect(await ask(['--async', questions(question({ header: long(12, '🦀') }))], { env })).toMatchObject({ code: 0 })
    expect(await ask(['--async', questions(question({ header: long(13, '한') }))], { env })).toMatchObject({ code: 1 })
  })

  it.each([
    ['ASK_MAX_QUESTIONS', '0', 'from 1 to 50'],
    ['ASK_MAX_QUESTIONS', '51', 'from 1 to 50'],
    ['ASK_MAX_OPTIONS', '1', 'from 2 to 200'],
    ['ASK_HEADER_MAX_LENGTH', 'twelve', 'from 1 to 200'],
    ['ASK_HEADER_MAX_LENGTH', '1e2', 'from 1 to 200'],
    ['ASK_QUESTION_MAX_LENGTH', '-5', 'from 1 to 10000'],
    ['ASK_QUESTION_MAX_LENGTH', '99999999999999999999', 'from 1 to 10000'],
  ])('are refused in one line if they are invalid: %s=%s', async (name, value, range) => {
    const sandbox = await createSandbox()
    expect(await questioner(sandbox).ask([questions(question())], { env: { [name]: value } })).toEqual({
      code: 1,
      stdout: '',
      stderr: `AskUserQuestion: ${name} is "${value}"; it must be a whole number ${range}.\n`,
    })
    expect((await sandbox.hub.list({ status: 'all' })).requests).toEqual([])
  })

  it('are shown escaped if they contain control characters', async () => {
    const { stderr } = await questioner(await createSandbox()).ask(['{}'], {
      env: { ASK_MAX_OPTIONS: '\u001b]0;x\u0007\n9' },
    })
    expect(stderr).toBe(
      'AskUserQuestion: ASK_MAX_OPTIONS is "\\x1b]0;x\\x07 9"; it must be a whole number from 2 to 200.\n',
    )
  })
})

describe('the JSON of AskUserQuestion', () => {
  const hard = question({ question: `What's "it" \\ the user's?`, header: "It's" })
  const json = questions(hard)

  it.each<[string, string[], string?]>([
    ['as one argument', [json]],
    ['with flags after it', [json, '--plain', '--no-human', 'park']],
    ['after --', ['--', json]],
    ['from stdin', ['-'], json],
    ['from stdin with a BOM and line breaks', ['-'], `\ufeff\r\n${JSON.stringify({ questions: [hard] }, null, 2)}\r\n`],
    ['in literal single quotes', [`'${json}'`]],
    ['in literal double quotes', [`"${json}"`]],
    ['as a string of JSON', [JSON.stringify(json)]],
    ['with every quote escaped', [JSON.stringify(json).slice(1, -1)]],
    ['with every quote escaped, in quotes', [`'${JSON.stringify(json).slice(1, -1)}'`]],
  ])('arrives %s', async (_, args, input) => {
    const sandbox = await createSandbox()
    const { code, stderr } = await questioner(sandbox).ask(['--async', ...args], input === undefined ? {} : { input })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const [request] = (await sandbox.hub.list()).requests
    expect(request).toMatchObject({ questions: [{ question: `What's "it" \\ the user's?`, header: "It's" }] })
  })

  it('arrives from a file', async () => {
    const sandbox = await createSandbox()
    writeFileSync(join(sandbox.cwd, 'ask.json'), json)
    for (const args of [['--file', 'ask.json'], ['--file=ask.json']]) {
      expect(await questioner(sandbox).ask(['--async', ...args])).toMatchObject({ code: 0 })
    }
    expect((await sandbox.hub.list()).requests).toHaveLength(1)
  })

  it('arrives with line breaks and tabs inside its strings', async () => {
    const sandbox = await createSandbox()
    const broken = questions(question({ question: 'BREAK' })).replace(
      'BREAK',
      'One,\n\ttwo "quoted\\" words?'.replace('"', '\\"'),
    )
    expect(await questioner(sandbox).ask(['--async', broken])).toMatchObject({ code: 0 })
    expect((await sandbox.pending()) as unknown).toMatchObject({
      questions: [{ question: 'One,\n\ttwo "quoted" words?' }],
    })
  })

  it('arrives through a shell although its apostrophes end the quotes', async () => {
    const sandbox = await createSandbox()
    const broken = questions(question({ question: "Don't we --async or won't we?" }))
    const command = `"$NODE" "$ASK" --async '${broken}'`
    execFileSync('bash', ['-c', command], {
      cwd: sandbox.cwd,
      env: { ...process.env, ...sandbox.env, NODE: process.execPath, ASK: askUserQuestion } as NodeJS.ProcessEnv,
    })
    expect((await sandbox.pending()) as unknown).toMatchObject({
      questions: [{ question: 'Dont we --async or wont we?' }],
    })
  })

  it('is stored completely, with previews and a custom answer allowed; unknown fields are ignored', async () => {
    const sandbox = await createSandbox()
    const asked = question({
      options: [option('a', { preview: '```\ncode\n```', more: 1 }), option('b')],
      multiSelect: true,
      answers: {},
    })
    await questioner(sandbox).ask([
      '--async',
      JSON.stringify({ questions: [asked], answers: {}, metadata: { source: 'x' } }),
    ])
    expect((await sandbox.pending()) as unknown).toMatchObject({
      kind: 'question',
      required: true,
      agent: { name: 'shell', cwd: sandbox.cwd },
      questions: [
        {
          header: 'Database',
          multiSelect: true,
          allowOther: true,
          default: null,
          options: [
            { label: 'a', description: 'about a', preview: '```\ncode\n```' },
            { label: 'b', description: 'about b', preview: '' },
          ],
        },
      ],
    })
  })
})
