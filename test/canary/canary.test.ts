import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { openHub } from '../../src/open-hub.ts'
import { type AskInput, BeckonError, type DependencyType } from '../../src/protocol/index.ts'
import { takeCheckpoint } from '../../src/supervisor/checkpoint/checkpoint.ts'
import { createSandbox, launcher, type Result, until } from '../cli/sandbox.ts'
import { databases, temporaryFolder, testKey } from '../setup/databases.ts'
import { freshDatabase } from '../setup/postgres.ts'
import { watchArguments } from './arguments.ts'
import { type Canary, createCanary, filesBelow } from './canary.ts'

// Each test gives a secret in one of the possible ways and then searches for it everywhere, in many encodings: only the
// process that asked for it may have it. The first test checks that the search works.

describe('the canary', () => {
  it.for([
    (value: string) => value,
    (value: string) => JSON.stringify({ value }),
    (value: string) => encodeURIComponent(value),
    (value: string) => [...value].reverse().join(''),
    (value: string) => Buffer.from(value).toString('hex'),
    (value: string) => Buffer.from(value).toString('base64'),
    (value: string) => Buffer.from(`x${value}`).toString('base64url'),
    (value: string) => Buffer.from(`xy${value}`).toString('base64'),
    (value: string) => Buffer.from(value, 'utf16le'),
    (value: string) => `${value.slice(0, 16)}…`,
  ])('is found in every encoding: %s', encode => {
    const canary = createCanary()
    expect(canary.findIn(encode(canary.value))).not.toEqual([])
    expect(createCanary().findIn(encode(canary.value))).toEqual([])
  })
})

const secrets: { type: DependencyType; canary: () => Canary; wrong: (value: string) => string }[] = [
  { type: 'api_key', canary: createCanary, wrong: value => `${value} with a space` },
  { type: 'env_variable', canary: () => createCanary(core => `${core}\nof two lines`), wrong: value => `${value}\0` },
  { type: 'password', canary: () => createCanary(core => ` ${core} `), wrong: value => `${value}\n` },
  {
    type: 'service',
    canary: () => createCanary(core => `postgres://user:${core}@db.internal/shop`),
    wrong: value => value.replace('postgres:', 'ftp:'),
  },
]

describe.each(databases)('given to the hub on $name,', ({ fresh }) => {
  it.each(secrets)('a secret of type $type is stored only sealed', async ({ type, canary: create, wrong }) => {
    const database = await fresh()
    const hub = await openHub({ database, env: { BECKON_KEY: testKey } })
    const canary = create()
    const outputs: unknown[] = []
    const run = await hub.runs.start({ command: ['agent'], cwd: '/work' })
    for (const input of [need(type, 'LOOSE'), need(type, 'KEPT'), { ...need(type, 'RUNNING'), run: run.id }]) {
      const { id } = await hub.raise(input)
      outputs.push(await faultOf(hub.answer(id, { value: wrong(canary.value) })))
      outputs.push(
        await faultOf(hub.drafts.save(id, { answers: [{ id: 'value', text: canary.value }], note: canary.value })),
      )
      const waiting = hub.wait(id)
      const keep = input.name === 'KEPT'
      outputs.push(await hub.answer(id, { value: canary.value, keep }), await waiting)
      outputs.push(await hub.answer(id, { value: canary.value }), await hub.answer(id, { value: `${canary.value}2` }))
      outputs.push(await hub.get(id), await hub.list({ status: 'all' }))
      expectNoLeak(canary, await everythingStored(database))

      const { value, request } = await hub.use(id)
      expect(value).toBe(canary.value)
      outputs.push(request, await faultOf(hub.use(id)))
    }
    outputs.push(await takeCheckpoint({ hub, run, reason: 'request', env: { CANARY: canary.value } }))
    outputs.push(await hub.checkpoints.list(run.id))
    outputs.push(
      await faultOf(hub.checkpoints.save({ run: run.id, reason: 'demand', environment: [`X=${canary.value}`] })),
    )
    expectNoLeak(canary, await everythingStored(database))
    outputs.push(await hub.runs.change(run.id, { status: 'completed' }), await hub.events(), await hub.runs.list())
    expectNoLeak(canary, [JSON.stringify(outputs), ...(await everythingStored(database))])
    await hub.close()
    expectNoLeak(canary, await everythingStored(database))
  })
})

const command = 'printf %s "$API_TOKEN" | sha256sum'
const asking = ['need', 'api_key', 'API_TOKEN', '--description', 'for the tests']

const fromFile = { way: 'from a file', file: true, json: [] }
const fromFileWithJson = { way: 'from a file, with --json', file: true, json: ['--json'] }
const fromStdin = { way: 'from stdin', file: false, json: [] }
const fromStdinWithJson = { way: 'from stdin, with --json', file: false, json: ['--json'] }

// Each way on one of the databases: every command of it is a process, and what it shows does not depend on the database.
describe.each([
  { name: 'SQLite', ways: [fromFile, fromStdinWithJson], variables: async () => ({}) },
  {
    name: 'PostgreSQL',
    ways: [fromFileWithJson, fromStdin],
    variables: async () => ({ BECKON_DB: await freshDatabase(), BECKON_KEY: testKey }),
  },
])('given on the command line on $name,', ({ ways, variables }) => {
  it.each(ways)(
    'a secret $way reaches the command that needs it, and nothing else',
    { timeout: 60_000 },
    async ({ file, json }) => {
      const { root, env, start, run } = await createSandbox()
      Object.assign(env, await variables())
      const canary = createCanary()
      const hidden = join(temporaryFolder(), 'secret')
      writeFileSync(hidden, `${canary.value}\n`)
      const watch = watchArguments()
      const results: Result[] = []
      const keep = async (args: string[], input?: string) => {
        const result = await run(args, input === undefined ? {} : { input })
        results.push(result)
        return result
      }

      const needing = start([...asking, ...json, '--', 'sh', '-c', command])
      const id = await until(async () => {
        const { requests } = JSON.parse((await keep(['list', '--json'])).stdout)
        return requests[0]?.id as string | undefined
      }, 'the request')
      await keep(['answer', id, '--from', '-'], `${canary.value} with a space`)
      const given = await keep(['answer', id, ...json, '--from', file ? hidden : '-'], file ? undefined : canary.value)
      expect(given.code).toBe(0)
      const needed = await needing.result
      expect(needed.code).toBe(0)
      expect(needed.stdout + needed.stderr).toContain(createHash('sha256').update(canary.value).digest('hex'))

      for (const args of looks(id)) await keep(args)
      await keep(['answer', id, '--from', '-'], `${canary.value}2`)
      await keep(['backup', join(root, 'backup.db')])
      expectNoLeak(canary, watch.stop())
      expectNoLeak(
        canary,
        [needed, ...results].map(result => JSON.stringify(result)),
      )
      expectNoLeak(canary, await everythingStored(env.BECKON_DB ?? join(root, 'home', 'beckon.db')))
      expectNoLeak(
        canary,
        filesBelow(root).map(({ bytes }) => bytes),
      )
    },
  )

  it('a secret for a command that starts later is handed over by reference', { timeout: 60_000 }, async () => {
    const { root, env, run } = await createSandbox()
    Object.assign(env, await variables())
    const canary = createCanary()
    const watch = watchArguments()
    const ticket = await run([...asking, '--async', '--json'])
    const { id } = JSON.parse(ticket.stdout)
    const given = await run(['answer', id, '--json', '--from', '-'], { input: canary.value })
    const stored = await everythingStored(env.BECKON_DB ?? join(root, 'home', 'beckon.db'))
    const waited = await run(['wait', id, '--json'])
    const reference = JSON.parse(waited.stdout).reference
    const opened = await run(['need', 'api_key', 'API_TOKEN', '--ref', reference, '--', 'sh', '-c', command])
    expect(opened.stdout).toContain(createHash('sha256').update(canary.value).digest('hex'))
    const again = await run(['need', 'api_key', 'API_TOKEN', '--ref', reference, '--', 'sh', '-c', command])
    expectNoLeak(canary, watch.stop())
    expectNoLeak(
      canary,
      [ticket, given, waited, opened, again].map(result => JSON.stringify(result)),
    )
    expectNoLeak(canary, [...stored, ...filesBelow(root).map(({ bytes }) => bytes)])
  })
})

describe('given in a way that is not for secrets,', () => {
  it.each([
    ['as a value', (id: string, value: string) => ['answer', id, value]],
    ['as text', (id: string, value: string) => ['answer', id, '--text', value]],
    ['as an answer', (id: string, value: string) => ['answer', id, '--answer', `value=${value}`]],
  ])('a secret %s is refused, not kept and not repeated', async (_, argsOf) => {
    const { root, ask, run, hub } = await createSandbox()
    const canary = createCanary()
    const { id } = await ask(need('api_key', 'API_TOKEN'))
    for (const json of [[], ['--json']]) {
      const refused = await run([...argsOf(id, canary.value), ...json])
      expect(refused.code).toBe(1)
      expectNoLeak(canary, [JSON.stringify(refused)])
    }
    expect((await hub.get(id)).status).toBe('pending')
    expectNoLeak(
      canary,
      filesBelow(root).map(({ bytes }) => bytes),
    )
  })
})

describe('typed at a prompt,', () => {
  const noTerminal = existsSync('/usr/bin/script') && process.platform === 'linux' ? false : 'needs script(1) of Linux'

  it.for([
    ['rich', [], 'leave open'],
    ['plain', ['--plain'], 'Enter your answer: '],
  ] as const)(
    'a secret is not shown by the %s prompt and is stored only sealed',
    { timeout: 60_000 },
    async ([_, flags, prompt], context) => {
      if (noTerminal) return context.skip(noTerminal)
      const { root, cwd, env, ask, hub } = await createSandbox()
      const canary = createCanary()
      const { id } = await ask(need('api_key', 'API_TOKEN'))
      const watch = watchArguments()
      const command = [process.execPath, launcher, 'answer', id, ...flags]
      const screen = await typeInto(command, { cwd, env: { ...env, TERM: 'xterm' } }, prompt, canary.value)
      expectNoLeak(canary, [screen, ...watch.stop(), ...filesBelow(root).map(({ bytes }) => bytes)])
      expect((await hub.use(id)).value).toBe(canary.value)
    },
  )
})

function need(type: DependencyType, name: string): Extract<AskInput, { kind: 'dependency' }> {
  return { kind: 'dependency', type, name, description: 'for the tests' }
}

function looks(id: string): string[][] {
  return [
    ['show', id],
    ['show', id, '--json'],
    ['list', '--all'],
    ['list', '--all', '--json'],
    ['events'],
    ['events', '--json'],
    ['wait', id],
    ['wait', id, '--json'],
    ['doctor'],
  ]
}

/** Everything a database stores: the bytes of its folder, or every row of every table. */
async function everythingStored(database: string): Promise<(string | Buffer)[]> {
  if (!database.startsWith('postgres:')) {
    const files = filesBelow(dirname(database))
    expect(files.map(({ file }) => file)).toContain(database)
    return files.map(({ bytes }) => bytes)
  }
  const client = new pg.Client({ connectionString: database })
  await client.connect()
  try {
    const { rows: tables } = await client.query<{ name: string }>(
      `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
        where table_schema not in ('pg_catalog', 'information_schema')`,
    )
    expect(tables.length).toBeGreaterThan(4)
    const dump: string[] = []
    for (const { name } of tables) {
      const { rows } = await client.query<{ row: string }>(`select row_to_json(t)::text as row from ${name} t`)
      dump.push(...rows.map(({ row }) => row))
    }
    return dump
  } finally {
    await client.end()
  }
}

function expectNoLeak(canary: Canary, texts: (string | Buffer)[]) {
  expect(texts).not.toEqual([])
  expect(texts.flatMap(text => canary.findIn(text))).toEqual([])
}

/** The error as a caller sees it, with all its details. */
async function faultOf(promise: Promise<unknown>): Promise<unknown> {
  const error = await promise.then(
    () => null,
    (fault: unknown) => fault,
  )
  if (!(error instanceof BeckonError)) throw new Error('was expected to fail', { cause: error })
  const { code, message, details, stack, cause } = error
  return { code, message, details, stack, cause: String(cause) }
}

/** Runs the command on a terminal, types the text at the prompt, and returns everything the terminal showed. */
async function typeInto(
  argv: string[],
  { cwd, env }: { cwd: string; env: Record<string, string | undefined> },
  prompt: string,
  text: string,
): Promise<string> {
  const line = argv.map(word => `'${word}'`).join(' ')
  const terminal = spawn('script', ['-qec', line, '/dev/null'], { cwd, env: { ...process.env, ...env } })
  let screen = ''
  terminal.stdout.setEncoding('utf8').on('data', chunk => {
    screen += chunk
  })
  const ended = once(terminal, 'close')
  await until(() => screen.includes(prompt), 'the prompt')
  terminal.stdin.write(`${text}\r`)
  await ended
  return screen
}
