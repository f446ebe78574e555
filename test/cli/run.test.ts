import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createRunSandbox as createSandbox } from './run-sandbox.ts'
import { type Sandbox, until } from './sandbox.ts'

/** A typical agent in Python: it prints, and reads its stdin. */
function agent(sandbox: Sandbox, script: string): string[] {
  const file = join(sandbox.cwd, 'agent.py')
  writeFileSync(file, `import os, subprocess, sys, time\ndef say(text): print(text, flush=True)\n${script}`)
  return ['python3', file]
}

const question = String.raw`say("[USER_QUESTION]\ncategory: choice\nquestion: Which one?\noptions: [a, b]\n[/USER_QUESTION]")`

function countForever(name: string): string {
  return `bash -c 'i=0; while true; do i=$((i+1)); echo $i >${name}; sleep 0.01; done'`
}

async function firstRun(sandbox: Sandbox) {
  return until(async () => (await sandbox.hub.runs.list())[0], 'a run')
}

function count(sandbox: Sandbox, name: string): number {
  const file = join(sandbox.cwd, name)
  return existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0
}

function stateOf(pid: number): string {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
  return stat.slice(stat.lastIndexOf(')') + 2, stat.lastIndexOf(')') + 3)
}

describe('beckon run', () => {
  it("passes on the agent's output and exit code", async () => {
    const sandbox = await createSandbox()
    const script = 'say("out"); sys.stderr.write("err\\n"); sys.exit(7)'
    const { code, stdout, stderr } = await sandbox.run(['run', '--', ...agent(sandbox, script)])
    expect({ code, stdout, stderr }).toEqual({
      code: 7,
      stdout: 'out\n',
      stderr: 'err\nbeckon: The run failed: The agent ended with exit code 7\n',
    })
    expect(await firstRun(sandbox)).toMatchObject({ status: 'failed', exitCode: 7, waiting: [] })
  })

  it('stops every process of the run at a question, and gives the answer to the process that asked', async () => {
    const sandbox = await createSandbox()
    const script = `
child = subprocess.Popen(["bash", "-c", """${countForever('child')}"""])
away = subprocess.Popen(["setsid", "bash", "-c", """${countForever('away')}"""])
while not (os.path.exists("child") and os.path.exists("away")): time.sleep(0.01)
${question}
say("went on with " + repr(sys.stdin.readline()))
subprocess.run(["pkill", "-P", str(child.pid)]); child.kill()
subprocess.run(["pkill", "-s", str(away.pid)]); away.kill()
`
    const running = sandbox.start(['run', '--name', 'worker', '--', ...agent(sandbox, script)])
    const request = await sandbox.pending()
    // The announcement comes after everything is stopped.
    await until(() => running.written().stderr.includes(`beckon answer ${request.id}`), 'the announcement')
    const run = await firstRun(sandbox)
    expect(stateOf(run.pid ?? 0)).toBe('T')
    expect(run).toMatchObject({ name: 'worker', status: 'running', waiting: ['waiting_question'] })
    const before = [count(sandbox, 'child'), count(sandbox, 'away')]
    // Long enough for a process that is still running to count on.
    for (let i = 0; i < 20; i += 1) await sandbox.run(['--version'])
    expect([count(sandbox, 'child'), count(sandbox, 'away')]).toEqual(before)
    await sandbox.hub.answer(request.id, { value: 'b' })
    const { code, stdout } = await running.result
    expect(code).toBe(0)
    expect(stdout).toContain("went on with 'b\\n'")
    expect((await sandbox.hub.get(request.id)).deliveredAt).not.toBeNull()
  }, 60_000)

  it('gives a secret to the agent, and redacts it in the log', async () => {
    const sandbox = await createSandbox()
    const script = String.raw`
say("[DEPENDENCY_REQUEST]\ntype: env_variable\nname: TOKEN\ndescription: to go on\nrequired: true\n[/DEPENDENCY_REQUEST]")
for line in sys.stdin:
    if line.startswith("value: "): value = line[7:].rstrip("\n")
    if line.startswith("[/"): break
sys.stdout.write("it is " + value[:5]); sys.stdout.flush(); time.sleep(0.2); say(value[5:])
`
    const running = sandbox.start(['run', '--', ...agent(sandbox, script)])
    const { id } = await sandbox.pending()
    await sandbox.hub.answer(id, { value: 'canary-80008' })
    expect(await running.result).toMatchObject({ code: 0 })
    const { id: run } = await firstRun(sandbox)
    const log = await sandbox.run(['runs', 'logs', run])
    expect(log.stdout).toContain('it is [redacted]\n')
    expect(log.stdout + log.stderr).not.toContain('canary')
  })

  it('ends a run whose required dependency is declined, and names it', async () => {
    const sandbox = await createSandbox()
    const script = String.raw`
say("[DEPENDENCY_REQUEST]\ntype: api_key\nname: KEY\ndescription: to go on\nrequired: true\n[/DEPENDENCY_REQUEST]")
time.sleep(600)
`
    const running = sandbox.start(['run', '--', ...agent(sandbox, script)])
    const { id } = await sandbox.pending()
    await sandbox.hub.decline(id, { reason: 'no' })
    const { code, stderr } = await running.result
    expect(code).not.toBe(0)
    expect(stderr).toContain('KEY')
    expect((await firstRun(sandbox)).status).toBe('failed')
  })

  it('reports an invalid block to the agent and as an event', async () => {
    const sandbox = await createSandbox()
    const script = String.raw`
say("[USER_QUESTION]\ncategory: choice\n[/USER_QUESTION]")
while True:
    line = sys.stdin.readline()
    sys.stdout.write("heard " + line)
    if line.startswith("[/"): break
`
    const { code, stdout } = await sandbox.run(['run', '--', ...agent(sandbox, script)])
    expect(code).toBe(0)
    expect(stdout).toContain('heard [PROTOCOL_ERROR]')
    const events = await sandbox.hub.events()
    expect(events.find(event => event.type === 'run.error')?.data.message).toContain('USER_QUESTION')
  })

  it('prints the errors that an agent reports, with control characters escaped', async () => {
    const sandbox = await createSandbox()
    const script = String.raw`say("[ERROR]\ntype: execution_failed\nmessage: bad \u202e thing\n[/ERROR]")`
    const { stderr } = await sandbox.run(['run', '--', ...agent(sandbox, script)])
    expect(stderr).toContain('The agent reports an error: bad \\u202e thing')
  })

  it("puts beckon on the agent's PATH, where it knows the run", async () => {
    const sandbox = await createSandbox()
    const script = `subprocess.run(["beckon", "ask", "Fine?", "--async"]); say(subprocess.run(["beckon", "answer", "x", "y"]).returncode)`
    const { code, stdout } = await sandbox.run(['run', '--', ...agent(sandbox, script)])
    // Its question was withdrawn when it ended.
    expect(code).toBe(13)
    expect(stdout).toMatch(/\n5\n$/)
    const { id } = await firstRun(sandbox)
    expect((await sandbox.hub.list({ status: 'all' })).requests[0]).toMatchObject({ run: id, status: 'orphaned' })
  })

  it('is paused, resumed and stopped by other commands', async () => {
    const sandbox = await createSandbox()
    const script = `subprocess.run(["bash", "-c", """${countForever('on')}"""])`
    const running = sandbox.start(['run', '--', ...agent(sandbox, script)])
    await until(() => count(sandbox, 'on') > 3, 'it to count')
    const { id } = await firstRun(sandbox)
    expect((await sandbox.run(['runs', 'pause', id])).code).toBe(0)
    const pid = (await sandbox.hub.runs.get(id)).pid ?? 0
    await until(() => stateOf(pid) === 'T', 'it to stop')
    expect((await sandbox.run(['runs', 'resume', id])).code).toBe(0)
    const before = count(sandbox, 'on')
    await until(() => count(sandbox, 'on') > before + 3, 'it to count again')
    expect((await sandbox.run(['runs', 'stop', id])).code).toBe(0)
    await running.result
    expect((await sandbox.hub.runs.get(id)).status).toBe('stopped')
    expect(existsSync(`/proc/${pid}`)).toBe(false)
  })

  it('reports a command that cannot be started', async () => {
    const sandbox = await createSandbox()
    const { code, stderr } = await sandbox.run(['run', '--', 'no-such-command-of-anybody'])
    expect(code).toBe(127)
    expect(stderr).toContain('no-such-command-of-anybody')
  })

  it('prints the prompt that tells an agent how to ask', async () => {
    const { code, stdout } = await (await createSandbox()).run(['run', '--print-prompt'])
    expect(code).toBe(0)
    expect(stdout).toContain('[USER_QUESTION]')
  })
})
