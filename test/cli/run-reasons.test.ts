import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createRunSandbox as createSandbox } from './run-sandbox.ts'
import { type Sandbox, until } from './sandbox.ts'

function script(sandbox: Sandbox, text: string): string[] {
  const file = join(sandbox.cwd, 'agent.sh')
  writeFileSync(file, text)
  return ['bash', file]
}

function dependency(name: string, more = ''): string {
  const fields = `type: env_variable\\nname: ${name}\\ndescription: to go on\\nrequired: true\\n${more}`
  return String.raw`printf '[DEPENDENCY_REQUEST]\n${fields}[/DEPENDENCY_REQUEST]\n'`
}

// biome-ignore lint/suspicious/noTemplateCurlyInString: the shell fills it in
const readValue = "while read -r line; do case $line in value:*) value=${line#value: };; '[/'*) break;; esac; done"
const question = String.raw`printf '[USER_QUESTION]\ncategory: choice\nquestion: Which?\noptions: [blue, red]\n[/USER_QUESTION]\n'; read -r x`

async function firstRun(sandbox: Sandbox) {
  return until(async () => (await sandbox.hub.runs.list())[0], 'a run')
}

/** What people see of the end of a run: `runs show`, the list, and the event. */
async function shownReason(sandbox: Sandbox) {
  const run = await firstRun(sandbox)
  const shown = await sandbox.run(['runs', 'show', run.id])
  const json = JSON.parse((await sandbox.run(['runs', 'show', run.id, '--json'])).stdout)
  const list = await sandbox.run(['runs', '--all'])
  const end = (await sandbox.hub.events()).findLast(({ type }) => /^run\.(failed|stopped)$/.test(type))
  return { run, shown: shown.stdout, list: list.stdout, json: json.reason, event: end?.data.reason }
}

describe('the reason of a run that failed', () => {
  it.each([
    ['its exit code', 'exit 3', 'The agent ended with exit code 3'],
    ['the signal that killed it', 'kill -KILL $$', 'The agent was killed by SIGKILL'],
  ])('is %s', async (_, text, reason) => {
    const sandbox = await createSandbox()
    const { stderr } = await sandbox.run(['run', '--', ...script(sandbox, text)])
    expect(stderr).toBe(`beckon: The run failed: ${reason}\n`)
    const { shown, list, json, event } = await shownReason(sandbox)
    expect(shown).toMatch(new RegExp(`^reason +${reason}$`, 'm'))
    expect(list).toContain(reason)
    expect({ json, event }).toEqual({ json: reason, event: reason })
  })

  it('is that its command does not exist', async () => {
    const sandbox = await createSandbox()
    await sandbox.run(['run', '--', './nothing-here'])
    const { json, event } = await shownReason(sandbox)
    expect(json).toContain('nothing-here')
    expect(event).toBe(json)
  })

  it("is the rejected dependency and the person's reason, harmless on the terminal", async () => {
    const sandbox = await createSandbox()
    const running = sandbox.start(['run', '--', ...script(sandbox, `${dependency('STRIPE_KEY')}; sleep 600`)])
    const { id } = await sandbox.pending()
    expect((await sandbox.run(['decline', id, '--reason', 'no \u001b[2Jbudget\u202e'])).code).toBe(0)
    const { stderr } = await running.result
    const reason = 'Required dependency rejected: STRIPE_KEY — no \\x1b[2Jbudget\\u202e'
    expect(stderr).toContain(`The run failed: ${reason}\n`)
    const { shown, json } = await shownReason(sandbox)
    expect(shown).toContain(`${reason}\n`)
    expect(json).toBe('Required dependency rejected: STRIPE_KEY — no \u001b[2Jbudget\u202e')
  })

  it('is the dependency that nobody provided in time', async () => {
    const sandbox = await createSandbox()
    const agent = script(sandbox, `${dependency('STRIPE_KEY')}; sleep 600`)
    await sandbox.run(['run', '--timeout', '1s', '--', ...agent])
    expect((await shownReason(sandbox)).json).toBe('Required dependency timeout: STRIPE_KEY — not provided in 1 s')
  })

  it('contains no secret of the run, and has a limit', async () => {
    const sandbox = await createSandbox()
    const error = String.raw`printf '[ERROR]\ntype: fatal\nmessage: bad key %s %s\n[/ERROR]\n' "$value" "$(printf '%.0sx' {1..5000})"`
    const running = sandbox.start([
      'run',
      '--',
      ...script(sandbox, `${dependency('TOKEN')}; ${readValue}; ${error}; exit 1`),
    ])
    const { id } = await sandbox.pending()
    await sandbox.hub.answer(id, { value: 'canary-80008' })
    await running.result
    const { json, event } = await shownReason(sandbox)
    expect(json).toMatch(/bad key \[redacted\] x+…?$/)
    expect(json.length).toBeLessThanOrEqual(1_000)
    expect(`${json}${event}`).not.toContain('canary')
  })

  it('is who stopped it', async () => {
    const sandbox = await createSandbox()
    const running = sandbox.start(['run', '--', ...script(sandbox, 'echo up; sleep 600')])
    await until(() => running.written().stdout.includes('up'), 'its output')
    const { id } = await firstRun(sandbox)
    await sandbox.run(['runs', 'stop', id], { env: { BECKON_USER: 'ada' } })
    expect((await running.result).stderr).toContain('beckon: Stopped by ada\n')
    const { shown, json, event } = await shownReason(sandbox)
    expect(shown).toMatch(/^reason +Stopped by ada$/m)
    expect({ json, event }).toEqual({ json: 'Stopped by ada', event: 'Stopped by ada' })
  })
})

describe('the log of a run', () => {
  it('has the answers and the dependencies that the agent was given, in their place, and no value', async () => {
    const sandbox = await createSandbox()
    const text = `echo one >&2; ${question}; echo two >&2; ${dependency('TOKEN')}; ${readValue}; echo three >&2`
    const running = sandbox.start(['run', '--', ...script(sandbox, text)])
    const first = await sandbox.pending()
    await sandbox.hub.answer(first.id, { value: 'red' })
    const second = await until(async () => (await sandbox.hub.list()).requests[0], 'the dependency')
    await sandbox.hub.answer(second.id, { value: 'canary-80008' })
    expect((await running.result).code).toBe(0)
    const { stdout, stderr } = await sandbox.run(['runs', 'logs', (await firstRun(sandbox)).id])
    expect(stderr).toBe('one\nbeckon: [USER_ANSWER] red\ntwo\nbeckon: [DEPENDENCY] TOKEN provided\nthree\n')
    expect(stdout + stderr).not.toContain('canary')
  })

  it('has an answer once, whichever supervisors are killed before and after its delivery', async () => {
    const sandbox = await createSandbox()
    // Prints nothing after it has read: what the holder knows about its requests is as of the question.
    const running = sandbox.start(['run', '--', ...script(sandbox, `${question}; echo "$x" >got; sleep 600`)])
    const { id } = await sandbox.pending()
    await until(() => running.written().stderr.includes(id), 'the announcement')
    const { id: run } = await firstRun(sandbox)
    running.child.kill('SIGKILL')
    await running.result
    await sandbox.hub.answer(id, { value: 'blue' })
    for (const last of [false, true]) {
      const recovering = sandbox.start(['run', '--recover'])
      await until(() => recovering.written().stderr.includes('attached'), 'the take-over')
      await until(() => existsSync(join(sandbox.cwd, 'got')), 'the answer')
      if (last) await sandbox.run(['runs', 'stop', run])
      else recovering.child.kill('SIGKILL')
      await recovering.result
    }
    const { stderr } = await sandbox.run(['runs', 'logs', run])
    expect(stderr.match(/\[USER_ANSWER\] blue/g)).toHaveLength(1)
  })
})
