import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createContext, runInContext } from 'node:vm'
import { build } from 'esbuild'
import { chromium } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { connect } from '../../src/client/index.ts'
import { startServer } from '../server/test-server.ts'
import { temporaryFolder } from '../setup/databases.ts'
import { chrome, requireChrome } from '../web/fixture.ts'

// The client as a program gets it that is bundled for a runtime without Node.

const webGlobals = [
  ...['AbortController', 'AbortSignal', 'Headers', 'TextDecoder', 'URLSearchParams', 'Uint8Array'],
  ...['atob', 'btoa', 'clearTimeout', 'crypto', 'fetch', 'performance', 'setTimeout'],
] as (keyof typeof globalThis)[]

let script: string
let bytes: number

beforeAll(async () => {
  const result = await build({
    stdin: {
      contents: "export * from './src/client/index.ts'",
      resolveDir: join(import.meta.dirname, '../..'),
    },
    bundle: true,
    minify: true,
    // Knows no built-in module of any runtime: importing one fails the build.
    platform: 'neutral',
    mainFields: [],
    format: 'iife',
    globalName: 'beckon',
    write: false,
  })
  script = result.outputFiles[0]?.text ?? ''
  bytes = script.length
})

it('is small, and has neither Node nor a library in it', () => {
  expect(bytes).toBeLessThan(40_000)
  expect(script).not.toMatch(/\brequire\b|node:|\bprocess\b|\bBuffer\b|ZodError/)
})

it('needs nothing but what the web has', async () => {
  const server = await startServer(join(temporaryFolder(), 'beckon.db'))
  const token = await server.token('answer')
  const web = createContext(Object.fromEntries(webGlobals.map(name => [name, globalThis[name]])))
  runInContext(script, web)
  expect(await runInContext(`(${askAndAnswer})(beckon, '${server.url}', '${token}')`, web)).toEqual(answered)
})

it('asks, follows and answers in a real browser', async context => {
  requireChrome(context)
  const server = await startServer(join(temporaryFolder(), 'beckon.db'))
  const token = await server.token('answer')
  const browser = await chromium.launch({ executablePath: chrome as string, args: ['--no-sandbox', '--disable-gpu'] })
  try {
    const page = await browser.newPage()
    // A page of the same origin: the server lets no other one in.
    await page.goto(`${server.url}/healthz`)
    await page.evaluate(script)
    const ran = page.evaluate(`(${askAndAnswer})(beckon, '${server.url}', '${token}')`)
    expect(await ran).toEqual(answered)
  } finally {
    await browser.close()
  }
})

it('does not follow a redirect with its token', async () => {
  const seen: (string | undefined)[] = []
  const server = createServer(({ url, headers }, response) => {
    seen.push(url, headers.authorization)
    response.writeHead(302, { location: '/elsewhere' }).end()
  }).listen(0)
  const { port } = server.address() as AddressInfo
  const hub = connect(`http://127.0.0.1:${port}`, { token: 'secret' })
  const refused = hub.runs.start({ name: 'x', command: ['x'] } as never)
  await expect(refused).rejects.toThrow('redirects elsewhere. Use the address that it leads to.')
  expect(seen).not.toContain('/elsewhere')
  server.close()
})

const answered = { value: 'yes', by: 'answer', types: ['request.created', 'request.answered', 'request.delivered'] }

/** Runs where the bundle does, so it is given as text. */
const askAndAnswer = String(async (beckon: typeof import('../../src/client/index.ts'), url: string, token: string) => {
  const hub = beckon.connect(url, { token, agent: 'edge' })
  const types: string[] = []
  const over = new AbortController()
  const following = (async () => {
    for await (const event of hub.follow({ since: 0, signal: over.signal })) {
      types.push(event.type)
      if (event.type === 'request.created') await hub.answer(event.request as string, { value: 'yes' })
      if (event.type === 'request.delivered') over.abort()
    }
  })()
  const outcome = await hub.ask({
    question: 'Ship it?',
    options: ['yes', 'no'],
    attachments: [{ name: 'a.txt', data: new Uint8Array([104, 105]) }],
  })
  await following
  await hub.close()
  return { value: outcome.value, by: outcome.by, types }
})
