import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

// Measures one framework in a process of its own: node drive.mjs FRAMEWORK MEASURE DATABASE FOLDER. The finding goes to the
// parent as a message. A program exports openPeer({ database, onResume }) → { ask(n), answer(id), close(), server? }. `ask`
// resolves to an id when the question is stored and its asker waits; `answer` when the asker has gone on and ended;
// `onResume(id)` is called in the asker, as soon as it has the answer.

const [name, measure, database, folder] = process.argv.slice(2)
const waitingFile = join(folder, 'waiting.json')
process.on('disconnect', () => process.exit())
const measures = { cycles, latency, waiting, restart }

const resumedAt = new Map()
const { openPeer } = await import(`./${name}.mjs`)
const began = performance.now()
const peer = await openPeer({ database, onResume: id => resumedAt.set(id, performance.now()) })
let asked = 0
const finding = await measures[measure]()
process.send(finding, () => process.exit())

/** Full cycles per second, one and fifty at a time, each after a short warm-up. */
async function cycles() {
  const rates = {}
  for (const atATime of [1, 50]) {
    await loops(atATime, 500)
    rates[atATime] = await loops(atATime, 1_500)
  }
  return rates
}

async function loops(atATime, time) {
  const began = performance.now()
  let done = 0
  const loop = async () => {
    while (performance.now() - began < time) {
      await cycle()
      done += 1
    }
  }
  await Promise.all(Array.from({ length: atATime }, loop))
  return done / ((performance.now() - began) / 1_000)
}

async function cycle() {
  const id = await ask()
  const answered = performance.now()
  await peer.answer(id)
  const resumed = resumedAt.get(id)
  resumedAt.delete(id)
  return resumed - answered
}

/** From the answer until the asker has it, one at a time, in milliseconds. */
async function latency() {
  const times = []
  const began = performance.now()
  for (let n = -30; n < 400 && performance.now() - began < 6_000; n += 1) {
    const time = await cycle()
    if (n >= 0) times.push(time)
  }
  return times
}

/** Memory per waiter, and as many waiters for the restart as fit into the time. */
async function waiting() {
  const [forMemory, wanted, time] = [2_000, 10_000, 30_000]
  const began = performance.now()
  const ids = []
  await add(100)
  const before = memory()
  await add(100 + forMemory)
  const after = memory()
  const held = ids.length - 100
  await add(wanted)
  writeFileSync(waitingFile, JSON.stringify(ids))
  return {
    count: ids.length,
    held,
    heap: (after.heapUsed - before.heapUsed) / held,
    rss: (after.rss - before.rss) / held,
  }

  async function add(upTo) {
    const loop = async () => {
      while (asked < upTo && performance.now() - began < time) ids.push(await ask())
    }
    await Promise.all(Array.from({ length: 50 }, loop))
  }
}

/** With the waiters of a process that has ended: from opening until the first that is answered goes on. */
async function restart() {
  const ids = JSON.parse(readFileSync(waitingFile, 'utf8'))
  const id = ids[ids.length >> 1]
  await peer.answer(id)
  return { count: ids.length, time: resumedAt.get(id) - began }
}

function ask() {
  asked += 1
  return peer.ask(asked)
}

/** The resident memory includes that of a server of its own, but no database's. */
function memory() {
  for (let i = 0; i < 3; i += 1) globalThis.gc()
  const { heapUsed, rss } = process.memoryUsage()
  return { heapUsed, rss: rss + (peer.server ? residentOf(peer.server) : 0) }
}

function residentOf(pid) {
  return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) * 1_024
}
