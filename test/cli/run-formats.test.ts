import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Request } from '../../src/protocol/request.ts'
import { createRunSandbox } from './run-sandbox.ts'
import { type Sandbox, until } from './sandbox.ts'

type Format = 'claude' | 'codex'

const question = '[USER_QUESTION]\ncategory: choice\nquestion: Continue?\noptions: [yes, no]\n[/USER_QUESTION]'
const malformed = '[USER_QUESTION]\ncategory: guess\nquestion: Continue?\n[/USER_QUESTION]'

/** Prints one turn after the other, as the event lines of its format, and writes down the prompt of each. */
function fakeAgent({ cwd }: Sandbox, format: Format, turns: readonly string[]): string[] {
  const file = join(cwd, format)
  turns.forEach((text, index) => {
    writeFileSync(
      join(cwd, `turn-${index + 1}`),
      `${eventsOf(format, text)
        .map(event => JSON.stringify(event))
        .join('\n')}\n`,
    )
  })
  const steps = [
    'turn=$(($(cat turns 2>/dev/null || echo 0) + 1)); echo $turn >turns',
    // The prompt is the last argument.
    `printf '%s' "\${@: -1}" >"prompt-$turn"`,
    'cat "turn-$turn"',
    'while [ -e "hold-$turn" ]; do sleep 0.02; done',
  ]
  writeFileSync(file, `#!/bin/bash\n${steps.join('\n')}\n`, { mode: 0o755 })
  return format === 'claude' ? [file, '-p', 'Go'] : [file, 'exec', '--json', 'Go']
}

function eventsOf(format: Format, text: string): object[] {
  if (format === 'codex') {
    const item = { id: 'item_0', type: 'agent_message', text }
    return [{ type: 'thread.started', thread_id: 't-1' }, { type: 'item.completed', item }, { type: 'turn.completed' }]
  }
  const session_id = 's-1'
  const message = { role: 'assistant', content: [{ type: 'text', text }] }
  return [
    { type: 'system', subtype: 'init', session_id },
    { type: 'assistant', session_id, message },
    { type: 'result', subtype: 'success', session_id, result: text },
  ]
}

function prompt({ cwd }: Sandbox, turn: number): string | null {
  const file = join(cwd, `prompt-${turn}`)
  return existsSync(file) ? readFileSync(file, 'utf8') : null
}

/** The open request that is not one of these. */
async function nextRequest({ hub }: Sandbox, ...known: Request[]): Promise<Request> {
  return until(
    async () => (await hub.list()).requests.find(({ id }) => !known.some(one => one.id === id)),
    'the next request',
  )
}

describe.each(['claude', 'codex'] as const)('beckon run --format %s', format => {
  it('asks again what the agent asks again on a later turn', async () => {
    const sandbox = await createRunSandbox()
    const agent = fakeAgent(sandbox, format, [question, question, `${question}\n${question}`, 'Done.'])
    const running = sandbox.start(['run', '--format', format, '--', ...agent])
    const first = await nextRequest(sandbox)
    await sandbox.hub.answer(first.id, { value: 'yes' })
    const second = await nextRequest(sandbox, first)
    await sandbox.hub.answer(second.id, { value: 'no' })
    const third = await nextRequest(sandbox, first, second)
    const fourth = await nextRequest(sandbox, first, second, third)
    await sandbox.hub.answer(third.id, { value: 'yes' })
    await sandbox.hub.answer(fourth.id, { value: 'no' })
    expect((await running.result).code).toBe(0)
    const prompts = [2, 3, 4].map(turn => prompt(sandbox, turn))
    expect(prompts).toEqual(['yes', 'no', 'Continue?: yes\nContinue?: no'])
  })

  it('answers a block that it cannot read three times, and then asks a person what to tell the agent', async () => {
    const sandbox = await createRunSandbox()
    const agent = fakeAgent(sandbox, format, [malformed, malformed, malformed, malformed, 'Done.'])
    const running = sandbox.start(['run', '--format', format, '--', ...agent])
    const request = await nextRequest(sandbox)
    const errors = [2, 3, 4].map(turn => prompt(sandbox, turn))
    expect(errors.every(text => text?.includes('[PROTOCOL_ERROR]\ntag: USER_QUESTION'))).toBe(true)
    expect(request).toMatchObject({
      kind: 'question',
      questions: [{ question: expect.stringContaining('cannot be read'), options: [] }],
      context: expect.stringContaining('category: guess'),
    })
    await until(() => running.written().stderr.includes(request.id), 'the announcement')
    await sandbox.hub.answer(request.id, { value: 'Use the category choice.' })
    expect((await running.result).code).toBe(0)
    expect(prompt(sandbox, 5)).toBe('Use the category choice.')
  })

  it('asks once what a new supervisor reads again', async () => {
    const sandbox = await createRunSandbox()
    const agent = fakeAgent(sandbox, format, [question, question, 'Done.'])
    writeFileSync(join(sandbox.cwd, 'hold-2'), '')
    const running = sandbox.start(['run', '--format', format, '--', ...agent])
    const first = await nextRequest(sandbox)
    await sandbox.hub.answer(first.id, { value: 'yes' })
    const second = await nextRequest(sandbox, first)
    running.child.kill('SIGKILL')
    await running.result
    const recovering = sandbox.start(['run', '--recover'])
    await until(() => recovering.written().stderr.includes('attached'), 'the take-over')
    rmSync(join(sandbox.cwd, 'hold-2'))
    await sandbox.hub.answer(second.id, { value: 'no' })
    expect((await recovering.result).code).toBe(0)
    expect([prompt(sandbox, 2), prompt(sandbox, 3)]).toEqual(['yes', 'no'])
    expect((await sandbox.hub.list({ status: 'all' })).requests.map(({ id }) => id)).toEqual([first.id, second.id])
  })
})

describe('a block that cannot be read', () => {
  it('is answered on the next turn, also after a question was answered', async () => {
    const sandbox = await createRunSandbox()
    const agent = fakeAgent(sandbox, 'claude', [question, malformed, question, 'Done.'])
    const running = sandbox.start(['run', '--format', 'claude', '--', ...agent])
    const first = await nextRequest(sandbox)
    await sandbox.hub.answer(first.id, { value: 'yes' })
    await sandbox.hub.answer((await nextRequest(sandbox, first)).id, { value: 'no' })
    expect((await running.result).code).toBe(0)
    expect([2, 3, 4].map(turn => prompt(sandbox, turn))).toEqual([
      'yes',
      expect.stringMatching(/^\[PROTOCOL_ERROR\]/),
      'no',
    ])
  })

  it('ends the run with its reason when a person declines to tell the agent anything', async () => {
    const sandbox = await createRunSandbox()
    const agent = fakeAgent(sandbox, 'claude', [malformed, malformed, malformed, malformed, 'Done.'])
    const running = sandbox.start(['run', '--format', 'claude', '--', ...agent])
    const { id } = await nextRequest(sandbox)
    await sandbox.hub.decline(id, { reason: 'wrong model' })
    expect((await running.result).code).toBe(1)
    expect(prompt(sandbox, 5)).toBeNull()
    const failed = (await sandbox.hub.events()).find(({ type }) => type === 'run.failed')
    expect(failed?.data).toMatchObject({ reason: expect.stringMatching(/cannot be read.*: wrong model$/) })
  })

  it('makes a person answer an agent that keeps printing it and reads its stdin', async () => {
    const sandbox = await createRunSandbox()
    const steps = [
      `printf '%s\\n' '${malformed.replaceAll('\n', "' '")}'`,
      'read -r line || exit 1; echo "$line" >>heard',
      `[ "$line" = '[PROTOCOL_ERROR]' ] || exit 0`,
      `until [ "$line" = '[/PROTOCOL_ERROR]' ]; do read -r line; done`,
    ]
    const file = join(sandbox.cwd, 'agent.sh')
    writeFileSync(file, `while :; do\n${steps.join('\n')}\ndone\n`)
    const running = sandbox.start(['run', '--', 'bash', file])
    const { id } = await nextRequest(sandbox)
    await sandbox.hub.answer(id, { value: 'Just continue.' })
    expect((await running.result).code).toBe(0)
    const errors = Array.from({ length: 3 }, () => '[PROTOCOL_ERROR]')
    expect(readFileSync(join(sandbox.cwd, 'heard'), 'utf8').trim().split('\n')).toEqual([...errors, 'Just continue.'])
  })
})

describe('the next prompt of an agent', () => {
  const optional = '[USER_QUESTION]\ncategory: business\nquestion: Price?\nrequired: false\n[/USER_QUESTION]'
  const expiring = optional.replace('required', 'timeout: 50ms\nrequired')

  it('says whether its question was declined, skipped or expired', async () => {
    const sandbox = await createRunSandbox()
    const agent = fakeAgent(sandbox, 'codex', [optional, optional, expiring, 'Done.'])
    const running = sandbox.start(['run', '--format', 'codex', '--', ...agent])
    const first = await nextRequest(sandbox)
    await sandbox.run(['decline', first.id, '--reason', 'not ours to set'])
    const second = await nextRequest(sandbox, first)
    await sandbox.run(['skip', second.id])
    expect((await running.result).code).toBe(0)
    expect([2, 3, 4].map(turn => prompt(sandbox, turn))).toEqual([
      'Declined: a person said no to this question: not ours to set',
      'Skipped: a person passed over this question, so decide for yourself',
      'Expired: nobody answered this question in time, which is neither a yes nor a no',
    ])
  })

  it('says whether its phase was rejected or declined', async () => {
    const sandbox = await createRunSandbox()
    const phase = '=== PHASE 1 COMPLETE ===\nCompleted: Schema\nReady for review.'
    const agent = fakeAgent(sandbox, 'claude', [phase, phase, 'Done.'])
    const running = sandbox.start(['run', '--format', 'claude', '--', ...agent])
    const first = await nextRequest(sandbox)
    await sandbox.hub.answer(first.id, { value: 'changes', text: 'name the columns' })
    const second = await nextRequest(sandbox, first)
    await sandbox.hub.decline(second.id, { reason: 'no time' })
    expect((await running.result).code).toBe(0)
    expect([prompt(sandbox, 2), prompt(sandbox, 3)]).toEqual([
      'rejected: name the columns',
      'Declined: a person said no to this review: no time',
    ])
  })
})

describe('the commands of an agent', () => {
  it('are on the PATH of a login shell, even if its profile sets PATH anew', async () => {
    const sandbox = await createRunSandbox()
    writeFileSync(join(sandbox.cwd, '.bash_profile'), 'PATH=/usr/bin:/bin\n')
    writeFileSync(join(sandbox.cwd, 'theirs'), 'export THEIRS=read\n')
    const command = 'beckon --version; command -v AskUserQuestion; timeout 20 beckon --version; echo "$THEIRS"'
    const env = { HOME: sandbox.cwd, BASH_ENV: '$HOME/theirs' }
    const { stdout, stderr } = await sandbox.run(['run', '--', 'bash', '-lc', command], { env })
    const version = (await sandbox.run(['--version'])).stdout
    expect({ stdout, stderr }).toEqual({
      stdout: `${version}${join(sandbox.home, 'bin', 'AskUserQuestion')}\n${version}read\n`,
      stderr: '',
    })
  })
})
