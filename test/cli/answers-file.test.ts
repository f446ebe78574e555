import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { question, questioner, questions } from './questionnaire.ts'
import { createSandbox, type Sandbox } from './sandbox.ts'

const shipIt = ['ask', 'Ship it?', '--option', 'yes', '--option', 'no']
const headless = ['--no-human', 'fail']

describe('BECKON_ANSWERS', () => {
  it.each<[string, string, string, string[], string]>([
    ['a question by its text, from JSON', 'a.json', '{"Ship it?": "yes"}', shipIt, 'yes\n'],
    ['a question by its text, from YAML', 'a.yaml', ' Ship it? : no\n', shipIt, 'no\n'],
    ['a question by its header', 'a.yml', 'Release: "2"\n', [...shipIt, '--header', 'Release'], 'no\n'],
    [
      'a question by its key, before its header and text',
      'a.json',
      '{"k":"yes","Ship it?":"no"}',
      [...shipIt, '--key', 'k'],
      'yes\n',
    ],
    ['a question with a number', 'a.yaml', 'Ship it?: 1\n', shipIt, 'yes\n'],
    [
      'a question with a boolean',
      'a.yaml',
      'Go?: true\n',
      ['ask', 'Go?', '--option', 'true', '--option', 'false'],
      'true\n',
    ],
    ['a question without options with text', 'a.json', '{"Name?":"Rex"}', ['ask', 'Name?'], 'Rex\n'],
    [
      'a question with several options',
      'a.yaml',
      'Which?: [c, 1]\n',
      ['ask', 'Which?', '--option', 'a', '--option', 'b', '--option', 'c', '--multi'],
      'a\nc\n',
    ],
    [
      'a question with custom text',
      'a.yaml',
      'Ship it?:\n  selected: []\n  text: later\n',
      [...shipIt, '--other'],
      'later\n',
    ],
  ])('answers %s', async (_, name, content, args, stdout) => {
    const sandbox = await createSandbox()
    expect(await sandbox.run([...args, ...headless], writeAnswers(sandbox, name, content))).toEqual({
      code: 0,
      stdout,
      stderr: '',
    })
    const [request] = (await sandbox.hub.list({ status: 'all' })).requests
    expect(request?.outcome).toMatchObject({ status: 'answered', channel: 'file', by: 'person' })
    expect(request?.deliveredAt).not.toBeNull()
  })

  it('does not answer an optional choice with nothing', async () => {
    const sandbox = await createSandbox()
    for (const content of ['{"Ship it?": ""}', '{"Ship it?": []}', '{"Ship it?": {"selected": []}}']) {
      const options = writeAnswers(sandbox, 'a.json', content)
      const { code, stderr } = await sandbox.run([...shipIt, '--optional', ...headless], options)
      expect({ code, stderr }).toEqual({ code: 69, stderr: expect.stringContaining('skip it') })
    }
  })

  it('answers every question of AskUserQuestion, with notes', async () => {
    const sandbox = await createSandbox()
    const { ask } = questioner(sandbox)
    const asked = questions(question(), question({ header: 'Name', question: 'Which name?' }))
    const content = 'Database: PostgreSQL\nWhich name?: { text: Rex, note: as always }\n'
    const { code, stdout } = await ask([asked, ...headless], writeAnswers(sandbox, 'a.yaml', content))
    expect({ code, result: JSON.parse(stdout) }).toMatchObject({
      code: 0,
      result: {
        answers: { Database: 'PostgreSQL', Name: 'Other (custom: Rex)' },
        details: [{ note: null }, { note: 'as always' }],
      },
    })
  })

  it('answers an open request that the same command had asked before', async () => {
    const sandbox = await createSandbox()
    const { id } = JSON.parse((await sandbox.run([...shipIt, '--async'])).stdout)
    expect((await sandbox.run(shipIt, writeAnswers(sandbox, 'a.json', '{"Ship it?":"yes"}'))).stdout).toBe('yes\n')
    expect(await sandbox.hub.get(id)).toMatchObject({ status: 'answered', outcome: { channel: 'file' } })
  })

  it('does not apply unless it answers every question', async () => {
    const sandbox = await createSandbox()
    const { ask } = questioner(sandbox)
    const asked = questions(question(), question({ header: 'Name', question: 'Which name?' }))
    const options = writeAnswers(sandbox, 'a.json', '{"Database":"SQLite","ship it?":"yes"}')
    expect(await ask([asked, ...headless], options)).toMatchObject({ code: 69 })
    expect(await sandbox.run([...shipIt, ...headless], options)).toMatchObject({ code: 69 })
    expect((await sandbox.hub.list({ status: 'all' })).requests).toEqual([])
  })

  it('is ignored with a one-line warning if the answer is not one of the options', async () => {
    const sandbox = await createSandbox()
    const options = writeAnswers(sandbox, 'a.json', '{"Ship it?":"perhaps"}')
    const impatient = { ...options, env: { ...options.env, BECKON_WAIT: '50ms' } }
    const { code, stderr } = await sandbox.run(shipIt, impatient)
    expect(code).toBe(75)
    expect(stderr.split('\n')[0]).toMatch(/^beckon: BECKON_ANSWERS: a\.json does not answer .*must be one of: yes, no$/)
    expect((await sandbox.pending()).status).toBe('pending')
    expect(await sandbox.run([...shipIt, '--key', 'x', ...headless], options)).toMatchObject({ code: 69 })
    expect((await sandbox.hub.list({ status: 'all' })).requests).toHaveLength(1)
  })

  it("is ignored in an agent's shell", async () => {
    const sandbox = await createSandbox()
    const { env } = writeAnswers(sandbox, 'a.json', '{"Ship it?":"yes"}')
    expect(await sandbox.run([...shipIt, ...headless], { env: { ...env, CLAUDECODE: '1' } })).toMatchObject({
      code: 69,
    })
    const broken = { BECKON_ANSWERS: 'nowhere.json', CLAUDECODE: '1', BECKON_WAIT: '50ms' }
    expect(await sandbox.run(shipIt, { env: broken })).toMatchObject({ code: 75 })
  })

  it('never grants a permission', async () => {
    const sandbox = await createSandbox()
    const need = ['need', 'permission', 'DEPLOY', '--description', 'May I?', ...headless]
    const options = writeAnswers(sandbox, 'a.json', '{"DEPLOY":"yes","May I?":"yes"}')
    expect(await sandbox.run(need, options)).toMatchObject({ code: 69 })
  })

  it.each([
    ['a missing file', null, /a\.yaml cannot be read/],
    ['invalid YAML', 'a: [1', /a\.yaml is not YAML: /],
    ['a list', '- yes\n', /a\.yaml must be a mapping/],
    ['an empty file', '', /a\.yaml must be a mapping/],
    [
      'a mapping with an answer of an unknown form',
      'Ship it?: { value: yes }\n',
      /a\.yaml: Ship it\?: must be text, a list/,
    ],
    ['a mapping with an empty answer', 'Ship it?:\n', /a\.yaml: Ship it\?: must be text, a list/],
    ['a mapping with a duplicate name', '"x": 1\n" x": 2\n', /a\.yaml: x appears twice/],
  ])('is refused before anything is stored, if it is %s', async (_, content, reason) => {
    const sandbox = await createSandbox()
    const options = content === null ? { env: { BECKON_ANSWERS: 'a.yaml' } } : writeAnswers(sandbox, 'a.yaml', content)
    const { code, stdout, stderr } = await sandbox.run(shipIt, options)
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(/^beckon: BECKON_ANSWERS: [^\n]+\n$/)
    expect(stderr).toMatch(reason)
    expect((await sandbox.hub.list({ status: 'all' })).requests).toEqual([])
  })

  it('is refused with the reason if it is invalid JSON', async () => {
    const sandbox = await createSandbox()
    const { code, stderr } = await sandbox.run(shipIt, writeAnswers(sandbox, 'a.json', '{"Ship it?": yes}'))
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(/^beckon: BECKON_ANSWERS: a\.json is not JSON: /),
    })
  })
})

function writeAnswers({ cwd }: Sandbox, name: string, content: string) {
  writeFileSync(join(cwd, name), content)
  return { env: { BECKON_ANSWERS: name } }
}
