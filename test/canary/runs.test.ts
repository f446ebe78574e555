import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createRunSandbox } from '../cli/run-sandbox.ts'
import { until } from '../cli/sandbox.ts'
import { temporaryFolder } from '../setup/databases.ts'
import { watchArguments } from './arguments.ts'
import { type Canary, createCanary, filesBelow } from './canary.ts'

// An agent that was given a secret prints it in every way that happens by accident. The person at the terminal sees
// the output; nothing of the secret may be stored or be visible to other processes.

const asking = String.raw`
import base64, json, os, subprocess, sys, time, urllib.parse
def say(text): print(text, flush=True)
def reply():
    fields = {}
    for line in sys.stdin:
        if line.startswith("[/"): return fields
        name, _, value = line.rstrip("\n").partition(": ")
        fields[name] = value.replace("\\\\", "\\")
def pieces(stream, text, size):
    for i in range(0, len(text), size):
        os.write(stream, text[i:i + size].encode())
        time.sleep(0.001)
    os.write(stream, b"\n")
say("[DEPENDENCY_REQUEST]\ntype: api_key\nname: API_TOKEN\ndescription: for the tests\nrequired: true\n[/DEPENDENCY_REQUEST]")
given = reply()
`
const leaking = String.raw`
value = given["value"]
pieces(1, "out " + value, 1)
pieces(2, "err " + value, 3)
# Both at once, so that every piece of one stands between two of the other.
for a, b in zip(value, value): os.write(1, a.encode()); os.write(2, b.encode())
say("")
for before in ["", "x", "xy"]: pieces(1, base64.b64encode((before + value).encode()).decode(), 7)
pieces(2, base64.urlsafe_b64encode(value.encode()).decode(), 5)
say(json.dumps({"token": value}))
say("https://user:" + urllib.parse.quote(value, safe="") + "@example.com")
say("[USER_QUESTION]\ncategory: confirmation\nquestion: Go on?\noptions: [yes, no]\n[/USER_QUESTION]")
say("went on with " + sys.stdin.readline())
`

const block = '[USER_QUESTION]\ncategory: confirmation\nquestion: Go on?\noptions: [yes, no]\n[/USER_QUESTION]'

const quoting = String.raw`
value = given["value"]
say("[ERROR]\ntype: refused\nmessage: 401 for " + value + "\n[/ERROR]")
say("[USER_QUESTION]\ncategory: confirmation\nquestion: Is " + value + " right?\noptions: [yes, no]\n[/USER_QUESTION]")
sys.stdin.readline()
`

describe.skipIf(process.platform !== 'linux')('given to a run,', () => {
  it('a secret that its agent prints is stored nowhere', { timeout: 60_000 }, async () => {
    const { root, cwd, env, hub, start, run, pending } = await createRunSandbox()
    const canary = createCanary()
    const script = join(cwd, 'agent.py')
    writeFileSync(script, asking + leaking)
    const watch = watchArguments({ environment: true })
    const running = start(['run', '--', 'python3', script])
    const request = await pending()
    const answered = await run(['answer', request.id, '--from', '-'], { input: canary.value })
    expect(answered.code).toBe(0)
    // The agent has printed everything and waits: check what is stored now, not only at the end.
    const question = await until(async () => (await hub.list({ kind: 'question' })).requests[0], 'the question')
    await until(() => running.written().stderr.includes(question.id), 'the run to be stopped')
    expectNoLeak(canary, keptBelow(root))
    const { id } = (await hub.runs.list())[0] ?? { id: '' }
    const looks = [
      ['runs'],
      ['runs', 'show', id],
      ['runs', 'logs', id],
      ['show', request.id, '--json'],
      ['events', '--json'],
    ]
    const during = await Promise.all(looks.map(args => run(args)))
    await hub.answer(question.id, { value: 'yes' })
    const { code, stdout } = await running.result
    // Output to the person's own terminal is not redacted.
    expect({ code, shown: canary.findIn(stdout).includes('plain') }).toEqual({ code: 0, shown: true })
    const after = await Promise.all(looks.map(args => run(args)))
    expectNoLeak(
      canary,
      [...during, ...after].map(result => JSON.stringify(result)),
    )
    const log = after[2]?.stdout ?? ''
    expect(log).toContain('out [redacted]\n')
    expect(log).toContain('went on with yes')
    expectNoLeak(canary, [...keptBelow(root), ...watch.stop(), JSON.stringify(answered)])
    expect(env.BECKON_HOME && keptBelow(root).length).toBeGreaterThan(3)
  })

  it('a secret in the environment of a run that can be resumed is stored only sealed', {
    timeout: 60_000,
  }, async () => {
    const { root, cwd, hub, start, run, pending } = await createRunSandbox()
    const canary = createCanary()
    const script = join(cwd, 'agent.py')
    writeFileSync(script, `import sys\nprint(${JSON.stringify(block)}, flush=True)\nprint(sys.stdin.readline())\n`)
    const running = start(['run', '--sleep-after', '1h', '--', 'python3', script], { env: { THEIR_KEY: canary.value } })
    const { id } = await pending()
    await until(() => running.written().stderr.includes(id), 'the run to be stopped')
    const runId = (await hub.runs.list())[0]?.id ?? ''
    const looks = await Promise.all([run(['runs', 'checkpoints', runId]), run(['runs', 'show', runId, '--json'])])
    expect(looks.map(({ code }) => code)).toEqual([0, 0])
    expectNoLeak(canary, [...keptBelow(root), ...looks.map(look => JSON.stringify(look))])
    await hub.answer(id, { value: 'yes' })
    expect((await running.result).code).toBe(0)
    expectNoLeak(canary, keptBelow(root))
  })

  it('a secret that its agent quotes in a block is not stored with the block', { timeout: 60_000 }, async () => {
    const { root, cwd, hub, start, pending } = await createRunSandbox()
    const canary = createCanary()
    const script = join(cwd, 'agent.py')
    writeFileSync(script, asking + quoting)
    const running = start(['run', '--', 'python3', script])
    await hub.answer((await pending()).id, { value: canary.value })
    const question = await until(async () => (await hub.list({ kind: 'question' })).requests[0], 'the question')
    await hub.answer(question.id, { value: 'yes' })
    await running.result
    expectNoLeak(canary, keptBelow(root))
  })

  it('a secret given as a reference is only in the environment of the command that opens it', {
    timeout: 60_000,
  }, async () => {
    const { root, cwd, hub, start, run, pending } = await createRunSandbox()
    const canary = createCanary()
    const proof = temporaryFolder()
    const script = join(cwd, 'agent.py')
    // The command copies the secret to a folder that is not searched, and keeps running during the search.
    const command = `printf %s "$API_TOKEN" >${proof}/value; exec sleep 600`
    writeFileSync(
      script,
      `${asking}
child = subprocess.Popen(["beckon", "need", "api_key", "API_TOKEN", "--ref", given["ref"], "--", "sh", "-c", """${command}"""])
while not os.path.exists("${proof}/value"): time.sleep(0.01)
say("[USER_QUESTION]\\ncategory: confirmation\\nquestion: Go on?\\noptions: [yes, no]\\n[/USER_QUESTION]")
sys.stdin.readline()
child.terminate()
`,
    )
    const running = start(['run', '--secrets', 'ref', '--', 'python3', script])
    const { id } = await pending()
    expect((await run(['answer', id, '--from', '-'], { input: canary.value })).code).toBe(0)
    const question = await until(async () => (await hub.list({ kind: 'question' })).requests[0], 'the question')
    const watch = watchArguments({ environment: true })
    const seen = watch.stop()
    const holders = seen.filter(text => canary.findIn(text).length > 0)
    // Only one environment has it: that of the command, which is now sleeping.
    expect(holders).toHaveLength(1)
    expect(holders[0]).toContain('API_TOKEN=')
    expectNoLeak(canary, keptBelow(root))
    await hub.answer(question.id, { value: 'yes' })
    const result = await running.result
    expectNoLeak(canary, [JSON.stringify(result), ...keptBelow(root)])
  })
})

function keptBelow(root: string): Buffer[] {
  return filesBelow(root).map(({ bytes }) => bytes)
}

function expectNoLeak(canary: Canary, texts: (string | Buffer)[]) {
  expect(texts).not.toEqual([])
  expect(texts.flatMap(text => canary.findIn(text))).toEqual([])
}
