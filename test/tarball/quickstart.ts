import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { run } from './pack.ts'

const page = readFileSync(join(import.meta.dirname, '../../docs/install.md'), 'utf8')

interface Place {
  readonly folder: string
  readonly env: NodeJS.ProcessEnv
}

/** Does what docs/install.md prints, with a tarball in place of the name, and says how long each step took. */
export async function quickstart(place: Place, tarball: string): Promise<Record<string, number>> {
  return {
    install: await timed(async () => run(shell(block('install').replace('beckon', tarball)), place.folder, place.env)),
    'first answer': await timed(() => asksAndAnswers(place)),
    library: await timed(() => asksInAProgram(place)),
    mcp: await timed(() => speaksMcp(place)),
  }
}

/** The block of code on the page that is marked with this name. */
export function block(name: string): string {
  const [, code] = new RegExp(`<!-- ${name} -->\\n\`\`\`\\w+\\n([\\s\\S]*?)\`\`\``).exec(page) ?? []
  assert.ok(code, `docs/install.md has no block "${name}"`)
  return code.trim()
}

async function asksAndAnswers(place: Place): Promise<void> {
  const asking = start(block('ask'), place)
  await answer(place)
  assert.equal((await asking).trim(), 'yes')
}

async function asksInAProgram(place: Place): Promise<void> {
  writeFileSync(join(place.folder, 'ship-it.mjs'), block('program'))
  const asking = start('node ship-it.mjs', place)
  await answer(place)
  assert.match(await asking, /yes/)
}

/** Types the block of the other terminal, with the id that `list` shows. */
async function answer(place: Place): Promise<void> {
  // Its last characters are enough, as the page says.
  const id = (await firstRequest(place)).slice(-5)
  run(shell(block('answer').replace('req_…', id)), place.folder, place.env)
}

async function firstRequest({ folder, env }: Place): Promise<string> {
  for (let tries = 0; tries < 100; tries += 1) {
    const { requests } = JSON.parse(run(['npx', 'beckon', 'list', '--json'], folder, env))
    if (requests.length > 0) return requests[0].id
    await sleep(100)
  }
  throw new Error('Nobody asked.')
}

/** The keyword `mcp` of the package is true: the command on the page is an MCP server with our tools. */
async function speaksMcp({ folder, env }: Place): Promise<void> {
  const client = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } }
  const messages = [
    { jsonrpc: '2.0', id: 1, method: 'initialize', params: client },
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    { jsonrpc: '2.0', id: 2, method: 'tools/list' },
  ]
  const child = spawn('sh', ['-c', block('mcp')], { cwd: folder, env, stdio: ['pipe', 'pipe', 'inherit'] })
  let out = ''
  const listed = new Promise<void>(resolve => {
    child.stdout.setEncoding('utf8').on('data', chunk => {
      out += chunk
      if (out.includes('"id":2')) resolve()
    })
    child.once('exit', () => resolve())
  })
  for (const message of messages) child.stdin.write(`${JSON.stringify(message)}\n`)
  await listed
  child.stdin.end()
  const tools = out
    .split('\n')
    .filter(Boolean)
    .map(line => JSON.parse(line))
    .find(({ id }) => id === 2)?.result.tools
  assert.ok(
    tools?.some(({ name }: { name: string }) => name === 'ask'),
    `beckon mcp printed ${out}`,
  )
  if (child.exitCode === null) await once(child, 'exit')
}

function shell(command: string): string[] {
  return ['sh', '-ec', command]
}

async function start(command: string, { folder, env }: Place): Promise<string> {
  const child = spawn('sh', ['-ec', command], { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] })
  let out = ''
  child.stdout.setEncoding('utf8').on('data', chunk => {
    out += chunk
  })
  const [status] = await once(child, 'close')
  assert.equal(status, 0, `${command}: exit code ${status}`)
  return out
}

async function timed(work: () => unknown): Promise<number> {
  const began = performance.now()
  await work()
  return (performance.now() - began) / 1_000
}
