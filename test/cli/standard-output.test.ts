import { spawn, spawnSync } from 'node:child_process'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { temporaryFolder } from '../setup/databases.ts'

const module = JSON.stringify(join(import.meta.dirname, '../../src/cli/output/standard-output.ts'))
const start = `
  const { standardOutput } = await import(${module})
  const stdout = standardOutput(1)
  const print = text => new Promise(resolve => stdout.write(text, error => resolve(error?.code ?? 'written')))
  const loads = () => ['net', 'internal/fs/sync_write_stream'].some(name => process.moduleLoadList.includes('NativeModule ' + name))
`

it('writes a few lines to a pipe or a file without loading a stream', () => {
  const program = `await print('one '); await print(Buffer.from('two')); await print(\` \${stdout.isTTY} \${loads()}\`)`
  expect(run(program).stdout).toBe('one two undefined false')
  const file = join(temporaryFolder(), 'out')
  const fd = openSync(file, 'w')
  run(program, fd)
  closeSync(fd)
  expect(readFileSync(file, 'utf8')).toBe('one two undefined false')
})

it('keeps the order where a lot is written', () => {
  const { stdout } = run(
    `for (let i = 0; i < 400; i += 1) stdout.write(\`\${i}\`.padEnd(1_000, '.')); await print('end')`,
  )
  const expected = Array.from({ length: 400 }, (_, i) => `${i}`.padEnd(1_000, '.'))
  expect(stdout).toBe(`${expected.join('')}end`)
})

it('reports a closed pipe to the write, and not as an event', async () => {
  const program = `
    await new Promise(resolve => process.stdin.once('data', resolve))
    process.stderr.write(await print('first') + ' ' + await print('x'.repeat(100_000)))
  `
  const child = spawn(process.execPath, ['--input-type=module', '-e', start + program])
  child.stdout.once('close', () => child.stdin.end('closed')).destroy()
  let stderr = ''
  for await (const text of child.stderr) stderr += text
  expect(stderr).toBe('EPIPE EPIPE')
})

it('goes on with the stream where a pipe is full', async () => {
  // A socket, as between Node and its child, is full when its reader does not read, and never blocks.
  const program = `
    process.stdout._handle.setBlocking(false)
    const { writeSync } = await import('node:fs')
    let filled = 0
    try { for (;;) filled += writeSync(1, Buffer.alloc(4_096, '.')) } catch {}
    process.stderr.write(String(filled))
    await print('the end')
  `
  const child = spawn(process.execPath, ['--input-type=module', '-e', start + program])
  const [filled] = await new Promise<[string]>(resolve => child.stderr.once('data', bytes => resolve([String(bytes)])))
  let stdout = ''
  for await (const text of child.stdout) stdout += text
  expect(stdout.length).toBe(Number(filled) + 'the end'.length)
  expect(stdout.endsWith('the end')).toBe(true)
})

function run(program: string, stdout: number | 'pipe' = 'pipe') {
  const ended = spawnSync(process.execPath, ['--input-type=module', '-e', start + program], {
    encoding: 'utf8',
    stdio: ['ignore', stdout, 'pipe'],
  })
  expect(ended.stderr).toBe('')
  return ended
}
