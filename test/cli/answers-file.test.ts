import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { question, questioner, questions } from './questionnaire.ts'
import { type Sandbox, sandbox } from './sandbox.ts'

const shipIt = ['ask', 'Ship it?', '--option', 'yes', '--option', 'no']
const headless = ['--no-human', 'fail']

describe('BECKON_ANSWERS', () => {
  it.each<[string, string, string, string[], string]>([
    ['by question, from JSON', 'a.json', '{"Ship it?": "yes"}', shipIt, 'yes\n'],
    ['by question, from YAML', 'a.yaml', ' Ship it? : no\n', shipIt, 'no\n'],
    ['by header', 'a.yml', 'Release: "2"\n', [...shipIt, '--header', 'Release'], 'no\n'],
    ['by key, before header and question', 'a.json', '{"k":"yes","Ship it?":"no"}', [...shipIt, '--key', 'k'], 'yes\n'],
    ['with a number', 'a.yaml', 'Ship it?: 1\n', shipIt, 'yes\n'],
    ['with a boolean', 'a.yaml', 'Go?: true\n', ['ask', 'Go?', '--option', 'true', '--option', 'false'], 'true\n'],
    ['with text where there are no options', 'a.json', '{"Name?":"Rex"}', ['ask', 'Name?'], 'Rex\n'],
    [
      'with several',
      'a.yaml',
      'Which?: [c, 1]\n',
      ['ask', 'Which?', '--option', 'a', '--option', 'b', '--option', 'c', '--multi'],
      'a\nc\n',
    ],
    [
      'with text of their own',
      'a.yaml',
      'Ship it?:\n  selected: []\n  text: later\n',
      [...shipIt, '--other'],
      'later\n',
    ],
  ])('answers %s', async (_, name, content, args, stdout) => {
    const place = await sandbox()
    expect(await place.run([...args, ...headless], file(place, name, content))).toEqual({ code: 0, stdout, stderr: '' })
    const [request] = (await place.hub.list({ status: 'all' })).requests
    expect(request?.outcome).toMatchObject({ status: 'answered', channel: 'file', by: 'person' })
    expect(request?.deliveredAt).not.toBeNull()
  })

  it('answers every question of AskUserQuestion, with notes', async () => {
    const place = await sandbox()
    const { ask } = questioner(place)
    const asked = questions(question(), question({ header: 'Name', question: 'Which name?' }))
    const content = 'Database: PostgreSQL\nWhich name?: { text: Rex, note: as always }\n'
    const { code, stdout } = await ask([asked, ...headless], file(place, 'a.yaml', content))
    expect({ code, result: JSON.parse(stdout) }).toMatchObject({
      code: 0,
      result: {
        answers: { Database: 'PostgreSQL', Name: 'Other (custom: Rex)' },
        details: [{ note: null }, { note: 'as always' }],
      },
    })
  })

  it('answers an open request that the same command had asked before', async () => {
    const place = await sandbox()
    const { id } = JSON.parse((await place.run([...shipIt, '--async'])).stdout)
    expect((await place.run(shipIt, file(place, 'a.json', '{"Ship it?":"yes"}'))).stdout).toBe('yes\n')
    expect(await place.hub.get(id)).toMatchObject({ status: 'answered', outcome: { channel: 'file' } })
  })

  it('is no match unless it answers every question', async () => {
    const place = await sandbox()
    const { ask } = questioner(place)
    const asked = questions(question(), question({ header: 'Name', question: 'Which name?' }))
    const options = file(place, 'a.json', '{"Database":"SQLite","ship it?":"yes"}')
    expect(await ask([asked, ...headless], options)).toMatchObject({ code: 69 })
    expect(await place.run([...shipIt, ...headless], options)).toMatchObject({ code: 69 })
    expect((await place.hub.list({ status: 'all' })).requests).toEqual([])
  })

  it('is left aside in one line where it is not one of the options', async () => {
    const place = await sandbox()
    const options = file(place, 'a.json', '{"Ship it?":"perhaps"}')
    const impatient = { ...options, env: { ...options.env, BECKON_WAIT: '50ms' } }
    const { code, stderr } = await place.run(shipIt, impatient)
    expect(code).toBe(75)
    expect(stderr.split('\n')[0]).toMatch(/^beckon: BECKON_ANSWERS: a\.json does not answer .*must be one of: yes, no$/)
    expect((await place.pending()).status).toBe('pending')
    expect(await place.run([...shipIt, '--key', 'x', ...headless], options)).toMatchObject({ code: 69 })
    expect((await place.hub.list({ status: 'all' })).requests).toHaveLength(1)
  })

  it('does not count in an agent', async () => {
    const place = await sandbox()
    const { env } = file(place, 'a.json', '{"Ship it?":"yes"}')
    expect(await place.run([...shipIt, ...headless], { env: { ...env, CLAUDECODE: '1' } })).toMatchObject({ code: 69 })
    const broken = { BECKON_ANSWERS: 'nowhere.json', CLAUDECODE: '1', BECKON_WAIT: '50ms' }
    expect(await place.run(shipIt, { env: broken })).toMatchObject({ code: 75 })
  })

  it('never gives what only a person may give', async () => {
    const place = await sandbox()
    const need = ['need', 'permission', 'DEPLOY', '--description', 'May I?', ...headless]
    const options = file(place, 'a.json', '{"DEPLOY":"yes","May I?":"yes"}')
    expect(await place.run(need, options)).toMatchObject({ code: 69 })
  })

  it.each([
    ['a file that is not there', null, /a\.yaml cannot be read/],
    ['YAML that is none', 'a: [1', /a\.yaml is not YAML: /],
    ['a list', '- yes\n', /a\.yaml must be a mapping/],
    ['nothing', '', /a\.yaml must be a mapping/],
    ['an answer of no known form', 'Ship it?: { value: yes }\n', /a\.yaml: Ship it\?: must be text, a list/],
    ['an empty answer', 'Ship it?:\n', /a\.yaml: Ship it\?: must be text, a list/],
    ['a name that is there twice', '"x": 1\n" x": 2\n', /a\.yaml: x appears twice/],
  ])('is refused before anything is stored: %s', async (_, content, reason) => {
    const place = await sandbox()
    const options = content === null ? { env: { BECKON_ANSWERS: 'a.yaml' } } : file(place, 'a.yaml', content)
    const { code, stdout, stderr } = await place.run(shipIt, options)
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(/^beckon: BECKON_ANSWERS: [^\n]+\n$/)
    expect(stderr).toMatch(reason)
    expect((await place.hub.list({ status: 'all' })).requests).toEqual([])
  })

  it('is refused with the reason where it is bad JSON', async () => {
    const place = await sandbox()
    const { code, stderr } = await place.run(shipIt, file(place, 'a.json', '{"Ship it?": yes}'))
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(/^beckon: BECKON_ANSWERS: a\.json is not JSON: /),
    })
  })
})

function file({ cwd }: Sandbox, name: string, content: string) {
  writeFileSync(join(cwd, name), content)
  return { env: { BECKON_ANSWERS: name } }
}
