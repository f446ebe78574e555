import { existsSync, readFileSync, writeFileSync } from 'node:fs'
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
})
