import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it, onTestFinished } from 'vitest'
import { AgentLoop, askAlways, chooseModel } from '../../src/agent/index.ts'
import type { Hub } from '../../src/hub/hub.ts'
import { openHub } from '../../src/index.ts'
import { openLocalHub } from '../../src/open-hub.ts'
import { type AskInput, isForPeople } from '../../src/protocol/index.ts'
import { operations } from '../../src/protocol/operations/index.ts'
import { startModelServer } from '../agent/model-server.ts'
import { startServer } from '../server/test-server.ts'
import { databases, temporaryFolder, testKey } from '../setup/databases.ts'

const library = join(import.meta.dirname, '../../dist/index.js')
const program = join(import.meta.dirname, 'processes/call-verb.mjs')

const shipIt = {
  questions: [{ question: 'Ship it?', options: ['yes', 'no'] }],
  required: false,
} satisfies AskInput
const critical = {
  kind: 'approval',
  action: { command: 'make release', cwd: '/work', severity: 'critical' },
} satisfies AskInput
const inRun = { BECKON_RUN: 'run_1' }
const inShell = { CLAUDECODE: '1' }

interface Place {
  hub: Hub
  options: Record<string, unknown>
  env: Record<string, string>
}

// Where a program can find a hub, and a hub of our own to look into it.
const places: [string, () => Promise<Place>][] = [
  ...databases.map(({ name, fresh }): [string, () => Promise<Place>] => [
    name,
    async () => {
      const database = await fresh()
      const hub = await openLocalHub({ database, env: { BECKON_KEY: testKey }, caller: { directory: '/work' } })
      onTestFinished(() => hub.close())
      return { hub, options: { database }, env: { BECKON_KEY: testKey } }
    },
  ]),
  [
    'a server',
    async () => {
      const server = await startServer(join(temporaryFolder(), 'beckon.db'))
      const { hub, url } = server
      return { hub, options: { database: url, token: await server.token('admin') }, env: {} }
    },
  ],
]

interface Called {
  code?: string
  message?: string
  result?: unknown
}

/** In a shell of its own with this environment: `node program`, or another command that ends in it. */
async function call(
  { options, env }: Place,
  verb: string,
  args: unknown[],
  {
    marker = inRun,
    script = '"$NODE" "$PROGRAM" "$CALL"',
    more = {},
  }: { marker?: Record<string, string>; script?: string; more?: Record<string, unknown> } = {},
): Promise<Called> {
  const call = JSON.stringify({ library, options: { ...options, ...more }, verb, args })
  const { stdout } = await promisify(execFile)('sh', ['-c', `${script}; exit $?`], {
    timeout: 20_000,
    env: {
      ...process.env,
      ...env,
      ...marker,
      NODE: process.execPath,
      PROGRAM: program,
      CALL: call,
      SETTINGS: Object.entries(env)
        .map(([name, value]) => `${name}=${value}`)
        .join(' '),
    },
  })
  return JSON.parse(stdout)
}

const refused = {
  code: 'not_allowed',
  message: expect.stringMatching(
    /^"hub\.[\w.]+" is for people, and this shell belongs to an agent: process \d+ \(.+\)/,
  ),
}

describe.each(places)("a program in an agent's shell, on %s", (_, open) => {
  it('settles nothing, and not a critical approval as a browser', async () => {
    const place = await open()
    const { id } = await place.hub.raise(critical)
    const question = await place.hub.raise(shipIt)
    expect(await call(place, 'answer', [id, { value: 'yes', channel: 'web' }])).toEqual(refused)
    for (const marker of [inRun, inShell]) {
      expect(await call(place, 'answer', [question.id, { value: 'yes' }], { marker })).toEqual(refused)
      expect(await call(place, 'skip', [question.id], { marker })).toEqual(refused)
      expect(await call(place, 'decline', [question.id, { reason: 'no' }], { marker })).toEqual(refused)
    }
    for (const request of [id, question.id]) expect((await place.hub.get(request)).status).toBe('pending')
  })

  it.runIf(process.platform === 'linux')('is known however it hides what it is', async () => {
    const place = await open()
    const { id } = await place.hub.raise(shipIt)
    const answer = [id, { value: 'yes' }]
    const hidden = [
      'env -u CLAUDECODE "$NODE" "$PROGRAM" "$CALL"',
      'env -i $SETTINGS "$NODE" "$PROGRAM" "$CALL"',
      `bash -c 'bash -c '"'"'env -u CLAUDECODE "$NODE" "$PROGRAM" "$CALL"; exit $?'"'"'; exit $?'`,
      `env -i $SETTINGS NODE="$NODE" PROGRAM="$PROGRAM" CALL="$CALL" sh -c '"$NODE" "$PROGRAM" "$CALL"; exit $?'`,
      // Node removes a variable from its own copy of the environment.
      `"$NODE" --import 'data:text/javascript,delete process.env.CLAUDECODE' "$PROGRAM" "$CALL"`,
    ]
    for (const script of hidden)
      expect(await call(place, 'answer', answer, { marker: inShell, script })).toEqual(refused)
    const elsewhere = 'setsid -w env -i $SETTINGS "$NODE" "$PROGRAM" "$CALL"'
    expect(await call(place, 'answer', answer, { marker: inRun, script: elsewhere })).toEqual(refused)
    // What the program calls its environment is not what the process has.
    expect(await call(place, 'answer', answer, { marker: inShell, more: { env: place.env } })).toEqual(refused)
    expect((await place.hub.get(id)).status).toBe('pending')
  })

  it('asks, waits, and withdraws what it asked', async () => {
    const place = await open()
    const ofOther = await place.hub.raise({ ...shipIt, agent: { cwd: '/elsewhere' } })
    const { result } = (await call(place, 'raise', [shipIt])) as { result: { id: string } }
    expect(await call(place, 'wait', [result.id, { for: 0 }])).toMatchObject({ result: { status: 'pending' } })
    expect(await call(place, 'list', [])).toMatchObject({ result: { requests: expect.any(Array) } })
    expect(await call(place, 'cancel', [ofOther.id])).toMatchObject({
      code: 'not_allowed',
      message: expect.stringContaining('An agent may only withdraw its own requests'),
    })
    expect(await call(place, 'cancel', [result.id])).toMatchObject({ result: { won: true } })
    expect((await place.hub.get(ofOther.id)).status).toBe('pending')
  })

  it('works on the run that it works in, and on no other', async () => {
    const place = await open()
    // The programs of this test descend from its own process.
    const own = await place.hub.runs.start({ command: ['agent'], cwd: '/work', pid: process.pid })
    const other = await place.hub.runs.start({ command: ['agent'], cwd: '/work' })
    const forged = { BECKON_RUN: other.id }
    for (const [verb, ...more] of [['runs.stop'], ['runs.pause'], ['runs.change', { status: 'stopped' }]] as const) {
      expect(await call(place, verb, [other.id, ...more], { marker: forged })).toMatchObject({ code: 'not_allowed' })
    }
    const { id } = await place.hub.raise({ ...shipIt, run: other.id })
    expect(await call(place, 'cancel', [id], { marker: forged })).toMatchObject({ code: 'not_allowed' })
    expect((await place.hub.runs.get(other.id)).status).toBe(other.status)
    expect(await call(place, 'runs.stop', [own.id])).toMatchObject({ result: { status: 'stopped' } })
  })

  it('settles where it says that it is a channel for people, under the name of the channel', async () => {
    const place = await open()
    const first = await place.hub.raise(shipIt)
    const more = { channel: 'slack' }
    expect(await call(place, 'answer', [first.id, { value: 'yes', by: 'mina' }], { more })).toMatchObject({
      result: { won: true, request: { outcome: { channel: 'slack', by: 'mina' } } },
    })
    const { id } = await place.hub.raise(critical)
    expect(await call(place, 'answer', [id, { value: 'yes' }], { more })).toMatchObject({
      code: 'not_allowed',
      message: expect.stringContaining('in a terminal or in the browser'),
    })
    expect((await place.hub.get(id)).status).toBe('pending')
  })
})

describe('the library', () => {
  // One of each: what they need does not matter, because they are refused before it is looked at.
  const forPeople = operations.filter(
    ({ name, scope, serverOnly }) => !serverOnly && ((scope && isForPeople(scope)) || name === 'tokens.create'),
  )

  it('refuses every verb for people in agent context', async () => {
    const hub = await openHub({
      database: join(temporaryFolder(), 'beckon.db'),
      env: { ...inShell, BECKON_KEY: testKey },
    })
    onTestFinished(() => hub.close())
    const verbs = forPeople.map(({ name }) => name)
    expect(verbs).toEqual(
      expect.arrayContaining(['answer', 'reschedule', 'drafts.save', 'rules.remove', 'kept.list', 'tokens.create']),
    )
    for (const name of verbs) {
      const [noun = '', verb] = name.split('.')
      const group = hub as unknown as Record<string, Record<string, () => unknown> & (() => unknown)>
      const called = verb ? () => group[noun]?.[verb]?.() : () => group[noun]?.()
      await expect((async () => called())(), name).rejects.toMatchObject(refused)
    }
    expect(await hub.rules.list()).toEqual([])
  })

  it.each(['web', 'terminal', 'rule', 'policy', ' web ', 'Web', 'ｗｅｂ'])(
    'can never claim the channel "%s", also in a shell of a person',
    async channel => {
      const database = join(temporaryFolder(), 'beckon.db')
      await expect(openHub({ database, channel })).rejects.toMatchObject({ code: 'not_allowed' })
      const hub = await openHub({ database, caller: { directory: '/work', channel } as object })
      onTestFinished(() => hub.close())
      const { id } = await hub.raise(critical)
      await expect(hub.answer(id, { value: 'yes', channel })).rejects.toMatchObject({ code: 'not_allowed' })
      await expect(hub.decline(id, { channel })).rejects.toMatchObject({ code: 'not_allowed' })
      await expect(hub.cancel(id, { channel })).rejects.toMatchObject({ code: 'not_allowed' })
      let reads = 0
      const changing = {
        value: 'yes',
        get channel() {
          reads += 1
          return reads === 1 ? 'slack' : channel
        },
      }
      await expect(hub.answer(id, changing)).rejects.toMatchObject({ code: 'not_allowed' })
      await expect(hub.answer(id, { value: 'yes' })).rejects.toMatchObject({ code: 'not_allowed' })
      expect((await hub.get(id)).status).toBe('pending')
    },
  )

  it('refuses a channel without a name', async () => {
    for (const channel of ['', '  ', 'two\nlines']) {
      await expect(openHub({ database: join(temporaryFolder(), 'beckon.db'), channel })).rejects.toMatchObject({
        code: 'invalid',
      })
    }
  })

  it("lends a program nothing of the hub but the verbs, and not the hub's clock", async () => {
    const database = join(temporaryFolder(), 'beckon.db')
    const year = 365 * 24 * 3_600_000
    const hub = (await openHub({ database, shift: () => year } as object)) as Partial<Hub>
    onTestFinished(async () => hub.close?.())
    expect([hub.as, hub.access, hub.outbox, hub.sweep, hub.rules?.add]).toEqual([...Array(5).fill(undefined)])
    const { createdAt } = (await hub.raise?.(shipIt)) ?? { createdAt: '' }
    expect(Date.parse(createdAt)).toBeLessThan(Date.now() + year / 2)
  })
})

describe("the built-in agent in an agent's shell", () => {
  it('takes answers where it says through which channel they come', async () => {
    const server = await startModelServer((_, count) =>
      count === 1 ? { calls: [{ name: 'Bash', input: { command: 'true' } }] } : { text: 'done' },
    )
    const home = temporaryFolder()
    const hub = await openHub({ env: { ...inShell, BECKON_HOME: home }, caller: { directory: home } })
    onTestFinished(async () => {
      await hub.close()
      await server.close()
    })
    const options = {
      ...{ hub, home, cwd: home, classify: askAlways, sleep: async () => {} },
      model: chooseModel('anthropic/scripted', server.env),
    }
    const silent = await AgentLoop.open(options)
    expect(await silent.runTurn('go')).toMatchObject({ status: 'waiting' })
    await expect(silent.answerQuestion('yes')).rejects.toMatchObject(refused)
    silent.close()
    await expect(AgentLoop.open({ ...options, channel: 'terminal' })).rejects.toMatchObject({ code: 'not_allowed' })
    const loop = await AgentLoop.open({ ...options, folder: silent.folder, channel: 'chat' })
    onTestFinished(() => loop.close())
    const web = { value: 'yes', channel: 'web' }
    await expect(loop.answerQuestion(web)).rejects.toMatchObject({ code: 'not_allowed' })
    expect(await loop.answerQuestion('yes')).toMatchObject({ request: { outcome: { channel: 'chat' } } })
    expect(await loop.runTurn()).toMatchObject({ status: 'done' })
  })
})
