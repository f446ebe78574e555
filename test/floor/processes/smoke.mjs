// The main work, by the commands and the library of the package that is installed here, on whatever Node runs this: ask and
// answer, a supervised run that asks with a block, and a server.
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { openHub } from 'beckon'

const launcher = join(import.meta.dirname, 'node_modules/.bin/beckon')
const home = mkdtempSync(join(tmpdir(), 'beckon-smoke-'))
const env = { ...process.env, BECKON_HOME: home, BECKON_USER: 'person' }

try {
  await asksAndAnswers()
  await runsAnAgent()
  await serves()
} finally {
  rmSync(home, { recursive: true, force: true })
}

async function asksAndAnswers() {
  const { id } = JSON.parse(beckon('ask', 'Ship it?', '--option', 'yes', '--option', 'no', '--async', '--json'))
  beckon('answer', id, 'yes')
  assert.equal(beckon('wait', id).trim(), 'yes')
}

async function runsAnAgent() {
  const agent = `
    console.log('[USER_QUESTION]\\ncategory: choice\\nquestion: "Which one?"\\noptions: ["one", "two"]\\n[/USER_QUESTION]')
    process.stdin.once('data', reply => { console.log('heard ' + reply); process.exit() })`
  const run = start('run', '--', process.execPath, '--eval', agent)
  const [request] = await until(() => JSON.parse(beckon('list', '--json')).requests)
  beckon('answer', request.id, 'two')
  assert.match(await run.output(), /heard .*two/s)
}

async function serves() {
  const server = start('serve', '--port', '0')
  const [url] = (await server.line).match(/http:\S+/)
  assert.equal((await fetch(new URL('/healthz', url))).status, 200)
  const hub = await openHub({ env })
  const asking = hub.ask({ kind: 'question', questions: [{ question: 'Through the library?' }] })
  const [request] = await until(() => JSON.parse(beckon('list', '--json')).requests)
  beckon('answer', request.id, 'yes')
  assert.equal((await asking).value, 'yes')
  await hub.close()
  server.end()
  await server.output()
}

function beckon(...args) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [launcher, ...args], { env, encoding: 'utf8' })
  assert.equal(status, 0, `beckon ${args.join(' ')}: ${stderr}`)
  return stdout
}

function start(...args) {
  const child = spawn(process.execPath, [launcher, ...args], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  const lines = createInterface(child.stdout)
  const text = []
  lines.on('line', line => text.push(line))
  const line = once(lines, 'line').then(([first]) => first)
  const output = once(child, 'close').then(() => text.join('\n'))
  return { line, end: () => child.kill('SIGTERM'), output: () => output }
}

async function until(read) {
  for (let tries = 0; tries < 100; tries += 1) {
    const found = read()
    if (found.length > 0) return found
    await sleep(100)
  }
  throw new Error('Nobody asked.')
}
