import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { temporaryFolder } from '../setup/databases.ts'

// Each takes milliseconds to load, and an agent waits for them.
const slow = ['stream', 'net', 'tty', 'child_process', 'perf_hooks', 'crypto', 'http', 'worker_threads', 'readline']

const option = (label: string) => ({ label, description: `${label}.` })
const options = [option('Yes'), option('No')]
const questions = JSON.stringify({ questions: [{ question: 'Ship it?', header: 'Ship', options, multiSelect: false }] })

it.each([
  ['ask', ['beckon.js', 'ask', 'Ship it?', '--async']],
  ['list', ['beckon.js', 'list']],
  ['guard', ['beckon.js', 'guard', '--', 'ls']],
  ['AskUserQuestion', ['ask-user-question.js', '--async', questions]],
])('%s starts without the slow modules of Node', (_, [file = '', ...args]) => {
  const folder = temporaryFolder()
  const list = join(folder, 'loaded')
  const preload = join(folder, 'preload.cjs')
  const write = `require('node:fs').writeFileSync(${JSON.stringify(list)}, process.moduleLoadList.join('\\n'))`
  writeFileSync(preload, `process.on('exit', () => ${write})`)
  const env = { ...process.env, BECKON_HOME: join(folder, 'home'), XDG_CACHE_HOME: join(folder, 'cache') }
  const program = join(import.meta.dirname, '../../bin', file)
  // The first start creates the database.
  for (let start = 0; start < 2; start += 1) {
    expect(spawnSync(process.execPath, ['-r', preload, program, ...args], { env, input: '' }).status).toBe(0)
  }
  const loaded = readFileSync(list, 'utf8').split('\n')
  expect(loaded).toContain('NativeModule fs')
  expect(slow.filter(name => loaded.includes(`NativeModule ${name}`))).toEqual([])
})
