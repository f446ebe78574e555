import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createRunSandbox } from './run-sandbox.ts'
import { type Running, type Sandbox, until } from './sandbox.ts'

const question = '[USER_QUESTION]\ncategory: choice\nquestion: Which one?\noptions: [a, b]\n[/USER_QUESTION]'
const badQuestion = '[USER_QUESTION]\ncategory: guess\nquestion: Which one?\n[/USER_QUESTION]'
const badDependency = '[DEPENDENCY_REQUEST]\ntype: api_key\nname: KEY\n[/DEPENDENCY_REQUEST]'

/** Prints these blocks at once, and then writes down its arguments and the first lines of its stdin. */
function agent({ cwd }: Sandbox, blocks: readonly string[], lines: number): string[] {
  const file = join(cwd, 'agent.py')
  const script = `
import json, os, sys
def note(text): open("heard", "a").write(json.dumps(text) + "\\n")
if len(sys.argv) > 1: note(sys.argv[1]); sys.exit()
os.write(1, ${JSON.stringify(`${blocks.join('\n')}\n`)}.encode())
for _ in range(${lines}): note(sys.stdin.readline().rstrip("\\n"))
`
  writeFileSync(file, script)
  return ['python3', file]
}

function heard({ cwd }: Sandbox): string[] {
  const file = join(cwd, 'heard')
  const lines = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : []
  return lines.map(line => JSON.parse(line))
}

/** Without the reasons of the errors. */
function replies(sandbox: Sandbox): string[] {
  return heard(sandbox).filter(line => !/^(reason:|\[\/)/.test(line))
}

async function bothQuestions({ hub }: Sandbox): Promise<[string, string]> {
  return until(async () => {
    const [first, second] = (await hub.list()).requests
    return first && second ? [first.id, second.id] : null
  }, 'both questions')
}

async function refused(running: Running, tag: string) {
  await until(() => running.written().stderr.includes(`A [${tag}] block cannot be read`), 'the refusal')
}

const errorBlock = ['[PROTOCOL_ERROR]', 'tag: DEPENDENCY_REQUEST']
const linesOfError = 4

describe('the replies to the blocks of an agent', () => {
  it('come in the order of the blocks: an error waits for the answers before it', async () => {
    const sandbox = await createRunSandbox()
    const blocks = [badQuestion, question, badDependency, question]
    const running = sandbox.start(['run', '--pause', 'none', '--', ...agent(sandbox, blocks, 2 * linesOfError + 2)])
    const [first, second] = await bothQuestions(sandbox)
    await sandbox.hub.answer(second, { value: 'b' })
    await sandbox.hub.answer(first, { value: 'a' })
    expect((await running.result).code).toBe(0)
    expect(replies(sandbox)).toEqual(['[PROTOCOL_ERROR]', 'tag: USER_QUESTION', 'a', ...errorBlock, 'b'])
  })

  it('come in that order after the supervisor was killed', async () => {
    const sandbox = await createRunSandbox()
    const command = agent(sandbox, [question, badDependency, question], linesOfError + 2)
    const running = sandbox.start(['run', '--', ...command])
    const [first, second] = await bothQuestions(sandbox)
    await until(() => running.written().stderr.includes(`beckon answer ${second}`), 'the announcement')
    running.child.kill('SIGKILL')
    await running.result
    await sandbox.hub.answer(second, { value: 'b' })
    const recovering = sandbox.start(['run', '--recover'])
    await until(() => recovering.written().stderr.includes('attached'), 'the take-over')
    await sandbox.hub.answer(first, { value: 'a' })
    expect((await recovering.result).code).toBe(0)
    expect(replies(sandbox)).toEqual(['a', ...errorBlock, 'b'])
  })

  it('are all in the command that resumes an agent which fell asleep', async () => {
    const sandbox = await createRunSandbox()
    const command = agent(sandbox, [question, badDependency], linesOfError + 1)
    const resume = ['--sleep-after', '10ms', '--resume-command', `${command.join(' ')} {answer}`]
    const running = sandbox.start(['run', ...resume, '--', ...command])
    const { id, run } = await sandbox.pending()
    expect((await running.result).code).toBe(75)
    await sandbox.run(['answer', id, 'a'])
    await until(async () => (await sandbox.hub.runs.get(run ?? '')).status === 'completed', 'its end')
    expect(heard(sandbox)).toEqual([expect.stringMatching(/^a\n\[PROTOCOL_ERROR\]\ntag: DEPENDENCY_REQUEST\n/)])
  })

  it.each(['claude', 'codex'] as const)('are in that order in the next prompt of %s', async format => {
    const sandbox = await createRunSandbox()
    const text = [badQuestion, question, badDependency].join('\n')
    const events = {
      claude: [
        { type: 'system', subtype: 'init', session_id: 's-1' },
        { type: 'assistant', session_id: 's-1', message: { role: 'assistant', content: [{ type: 'text', text }] } },
      ],
      codex: [
        { type: 'thread.started', thread_id: 't-1' },
        { type: 'item.completed', item: { id: 'item_0', type: 'agent_message', text } },
      ],
    }[format]
    const file = join(sandbox.cwd, format)
    writeFileSync(join(sandbox.cwd, 'turn'), `${events.map(event => JSON.stringify(event)).join('\n')}\n`)
    const script = `if [ -e began ]; then printf %s "\${@: -1}" >prompt; else : >began; cat turn; fi`
    writeFileSync(file, `#!/bin/bash\n${script}\n`, { mode: 0o755 })
    const running = sandbox.start(['run', '--format', format, '--', file, 'exec', 'Go'])
    const { id } = await sandbox.pending()
    await refused(running, 'DEPENDENCY_REQUEST')
    await sandbox.hub.answer(id, { value: 'a' })
    expect((await running.result).code).toBe(0)
    const lines = readFileSync(join(sandbox.cwd, 'prompt'), 'utf8').split('\n')
    expect(lines.filter(line => /^(a$|tag:)/.test(line))).toEqual([
      'tag: USER_QUESTION',
      'a',
      'tag: DEPENDENCY_REQUEST',
    ])
  })
})
