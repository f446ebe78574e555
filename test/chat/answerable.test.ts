import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { answerable } from '../../src/chat/answerable.ts'
import type { Hub } from '../../src/hub/hub.ts'
import { openLocalHub } from '../../src/open-hub.ts'
import type { AskInput } from '../../src/protocol/index.ts'
import { databases, testKey } from '../setup/databases.ts'

let hub: Hub
beforeAll(async () => {
  const database = (await databases[0]?.fresh()) ?? ''
  hub = await openLocalHub({ database, env: { BECKON_KEY: testKey }, caller: { directory: '/work' }, sweeps: false })
})
afterAll(() => hub.close())

const asked = async (ask: AskInput) => answerable(await hub.raise(ask))
const question = (question: string, options: (string | object)[] = ['yes', 'no'], more: object = {}) =>
  ({ questions: [{ question, options, ...more }] }) as AskInput
const script = (command: string, text: string): AskInput => ({
  kind: 'approval',
  action: { command, cwd: '/work', facts: { files: [{ path: '/work/script.sh', hash: 'h', text }] } },
})
const command = (command: string) => ({ kind: 'approval', action: { command, cwd: '/work' } }) satisfies AskInput

describe('a request can be answered in a message', () => {
  it('where the message shows one question whole, with what its options mean', async () => {
    const options = [{ label: 'OAuth 2.0', description: 'people sign in elsewhere' }, { label: 'Passwords' }]
    expect(await asked(question('Which sign-in\nshould we use?', options, { header: 'Sign-in' }))).toEqual({
      text: 'Sign-in\nWhich sign-in\nshould we use?\n• OAuth 2.0: people sign in elsewhere',
      question: 'q1',
      options: ['OAuth 2.0', 'Passwords'],
    })
  })

  it('where an action is not dangerous: its text shows the command, its place and the reasons', async () => {
    const found = await asked(command('apt-get remove jq'))
    expect(found).toMatchObject({ question: 'approval', options: ['yes', 'no'] })
    expect(found?.text).toMatch(/^apt-get remove jq\nin \/work\n• \S/)
  })

  it('where it shows all that the page shows of an action: the whole input, files, what a yes does not cover', async () => {
    const input = { command: 'apt-get remove jq', dangerouslyDisableSandbox: true }
    const facts = { files: [{ path: '/work/list', hash: 'h' }], unbound: ['A plugin is not bound.'] }
    const reasons = [{ rule: 'mine', message: 'It is only jq.', span: [0, 1] as [number, number] }]
    const found = await asked({ kind: 'approval', action: { tool: 'Bash', input, cwd: '/work', facts, reasons } })
    const lines = found?.text.split('\n') ?? []
    expect(lines.slice(0, 2)).toEqual([`Bash ${JSON.stringify(input)}`, 'in /work'])
    expect(lines.slice(-3)).toEqual([
      '• with the file: /work/list',
      '• not covered: A plugin is not bound.',
      '• the agent says: It is only jq.',
    ])
  })

  it.each<[string, AskInput]>([
    ['a high approval', command('git push --force origin main')],
    ['a critical approval', command('terraform destroy -auto-approve')],
    [
      'a command with something like a key',
      command('npm install https://x.example/?t=ghp_16C7e42F292c6912E7710c838347Ae178B4a'),
    ],
    ['a command that hides a character', command('npm install left\u200bpad')],
    ['a long command', command(`npm install ${'left-pad '.repeat(200)}`)],
    ['a command that runs a script, which the page shows', script('apt-get remove jq', 'echo hi')],
    ['a command whose lines look like what Beckon adds', command('apt-get remove jq\nin /srv/copy\n• a copy')],
    [
      'a directory whose name does',
      { kind: 'approval', action: { command: 'apt-get remove jq', cwd: '/work\n• removes nothing' } },
    ],
    ['a long question in letters that take three bytes', question('배포할까요? '.repeat(150))],
    ['a question whose end is far below', question(`Ship?${'\n \n'.repeat(20)}To production.`)],
    ['a question whose end is far to the right', question(`Ship?${' '.repeat(60)}To production.`)],
    ['a question of many lines', question('line\n'.repeat(41))],
    ['a secret', { kind: 'dependency', type: 'api_key', name: 'STRIPE_KEY', description: 'to charge' }],
    ['a permission', { kind: 'dependency', type: 'permission', name: 'deploy', description: 'to deploy' }],
    ['a review', { kind: 'review', title: 'Phase 1', files: ['a.ts'] }],
    ['a question with context', { ...question('Ship?'), context: 'read this first' }],
    ['a question with a file', { ...question('Ship?'), attachments: [{ name: 'a.txt', data: Buffer.from('text') }] }],
    [
      'two questions',
      {
        questions: [
          { question: 'A?', options: ['x'] },
          { question: 'B?', options: ['y'] },
        ],
      },
    ],
    ['several choices', question('Which?', ['a', 'b'], { multiSelect: true })],
    ['a question without options', question('What?', [])],
    ['an option with a preview', question('Which?', [{ label: 'a', preview: 'code' }, { label: 'b' }])],
    ['a long label', question('Which?', ['a'.repeat(61), 'b'])],
    ['a label that turns the text around', question('Which?', ['yes \u202eon', 'no'])],
    ['an option that looks like the link to the page', question('Delete all?', ['Open in Beckon…', 'no'])],
    ['more options than there is room for', question('Which?', [...'abcdefghijk'])],
  ])('but not %s: that leads to the page', async (_, ask) => {
    expect(await asked(ask)).toBeNull()
  })

  it('not any more once somebody has asked back, or a file was added', async () => {
    const one = await hub.raise({ ...question('Back?'), canReply: true })
    expect(answerable(one)).not.toBeNull()
    await hub.messages.send(one.id, { text: 'why?' })
    expect(answerable(await hub.get(one.id))).toBeNull()
    const two = await hub.raise(question('File?'))
    await hub.attachments.add(two.id, { name: 'a.txt', data: Buffer.from('text') })
    expect(answerable(await hub.get(two.id))).toBeNull()
  })
})
