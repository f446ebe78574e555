import { expect, it } from 'vitest'
import { createLog } from '../../src/server/log.ts'
import { serve } from '../../src/server/serve.ts'
import { createSandbox, type Sandbox } from './sandbox.ts'

const options = ['--option', 'yes', '--option', 'no']
const agent = { BECKON_USER: 'person', BECKON_WAIT: '100ms' }

/** Makes the commands of the sandbox use a server. */
async function serveSandbox(sandbox: Sandbox): Promise<void> {
  const served = await serve({ hub: sandbox.hub as never, log: createLog('silent'), version: '0', port: 0 })
  sandbox.atEnd(() => served.close())
  const { secret } = await sandbox.hub.tokens.create({ scope: 'answer', name: 'person' })
  Object.assign(sandbox.env, { BECKON_URL: served.url, BECKON_TOKEN: secret })
}

/** Runs every command and returns its exit code and output, with times and ids replaced. */
async function runCommands(sandbox: Sandbox): Promise<Record<string, unknown>> {
  const results: Record<string, unknown> = {}
  const run = async (name: string, args: string[], env: Record<string, string> = {}) => {
    const { code, stdout } = await sandbox.run(args, { env })
    results[name] = [code, normalize(stdout)]
    return stdout
  }
  const asked = async (text: string, more: string[] = []) => {
    const ticket = await run(`ask ${text}`, ['ask', text, '--json', ...options, ...more], agent)
    return JSON.parse(ticket).id as string
  }
  await run('ask without text', ['ask', '--json', ''])
  await run('ask with an invalid default', ['ask', 'Which?', '--default', 'maybe', '--json', ...options])
  const first = await asked('Ship it?')
  await run('answer with an invalid value', ['answer', first, 'maybe', '--json'])
  await run('answer in another run', ['answer', first, 'yes', '--run', 'run_x', '--json'])
  await run('skip a required request', ['skip', first, '--json'])
  await run('answer as an agent', ['answer', first, 'yes', '--json'], { CLAUDECODE: '1' })
  await run('answer', ['answer', first, 'yes', '--note', 'go', '--json'])
  await run('answer the same again', ['answer', first, 'yes', '--note', 'go', '--json'])
  await run('answer differently', ['answer', first, 'no', '--json'])
  await run('decline an answered request', ['decline', first, '--reason', 'no', '--json'])
  await run('answer an unknown request', ['answer', 'req_none', 'yes', '--json'])
  await run('wait', ['wait', first, '--json'])
  await run('wait for an unknown request', ['wait', 'req_none', '--json'])
  await run('show', ['show', first, '--json'])
  await run('decline', ['decline', await asked('Drop it?'), '--reason', 'no', '--json'])
  await run('ask again after a decline', ['ask', 'Drop it?', '--json', ...options])
  await run('cancel', ['cancel', await asked('Wipe it?', ['--key', 'wipe']), '--json'])
  await run('ask again after a cancel', ['ask', 'Wipe it?', '--key', 'wipe', '--json', ...options])
  await run('ask something else with the same key', ['ask', 'Else?', '--key', 'wipe', '--json', ...options])
  await run('skip', ['skip', await asked('Tag it?', ['--optional']), '--json'])
  await run('ask again after a skip', ['ask', 'Tag it?', '--optional', '--json', ...options])
  await run('ask until the deadline', [
    'ask',
    'Late?',
    '--timeout',
    '50ms',
    '--on-timeout',
    'fail',
    '--json',
    ...options,
  ])
  await run('use a default', [
    'ask',
    'Usual?',
    '--optional',
    '--default',
    'no',
    '--timeout',
    '50ms',
    '--json',
    ...options,
  ])
  await run('list', ['list', '--all', '--json'])
  await run('list an unknown run', ['list', '--run', 'run_none', '--json'])
  await run('events', ['events', '--json'])
  await run('runs', ['runs', '--json'])
  await run('show an unknown run', ['runs', 'show', 'run_none', '--json'])
  return results
}

function normalize(text: string): string {
  return (
    text
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
      // Over HTTP nobody knows the asker's machine.
      .replaceAll(/"host":(null|"[^"]+")/g, '"host":HOST')
      .replaceAll(/(req|tok|run)_[0-9a-z]{26}/g, '$1_ID')
      .replaceAll(/"cwd":"[^"]*"/g, '"cwd":"HERE"')
      .replaceAll(/(process |"pid":)\d+/g, '$1PID')
  )
}

it('every command prints the same and exits the same with a local hub and with a server', async () => {
  const [here, there] = [await createSandbox(), await createSandbox()]
  await serveSandbox(there)
  const [byFile, byServer] = await Promise.all([runCommands(here), runCommands(there)])
  expect(byServer).toEqual(byFile)
  const codes = Object.fromEntries(Object.entries(byServer).map(([name, results]) => [name, (results as [number])[0]]))
  expect(codes).toMatchObject({
    'ask without text': 1,
    'ask Ship it?': 75,
    'answer with an invalid value': 1,
    'answer in another run': 4,
    'skip a required request': 1,
    'answer as an agent': 5,
    answer: 0,
    'answer the same again': 0,
    'answer differently': 6,
    'answer an unknown request': 4,
    wait: 0,
    'ask again after a decline': 10,
    'ask again after a cancel': 13,
    'ask again after a skip': 11,
    'ask until the deadline': 12,
    'use a default': 0,
    list: 0,
    events: 0,
  })
}, 120_000)

it("a reference of a run opens for the tokens of that run, and not with an admin's token", async () => {
  const sandbox = await createSandbox()
  const { id: run } = await sandbox.hub.runs.start({ command: ['agent'], cwd: sandbox.cwd })
  const bound = await sandbox.hub.tokens.create({ scope: 'ask', run })
  const admin = await sandbox.hub.tokens.create({ scope: 'admin' })
  await serveSandbox(sandbox)
  const { id } = await sandbox.hub.raise({
    kind: 'dependency',
    type: 'api_key',
    name: 'API_KEY',
    description: 'To call it',
    run,
  })
  await sandbox.hub.answer(id, { value: 'canary-0123456789' })
  const reference = `ref_${id.slice('req_'.length)}`
  const open = (token: string) =>
    sandbox.run(['need', 'api_key', 'API_KEY', '--ref', reference, '--', 'printenv', 'API_KEY'], {
      env: { BECKON_TOKEN: token },
    })
  expect(await open(admin.secret)).toMatchObject({ code: 5, stdout: '' })
  expect(await open(bound.secret)).toMatchObject({ code: 0, stdout: 'canary-0123456789\n' })
  expect(await open(admin.secret)).toMatchObject({ code: 5, stdout: '' })
})
