import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const preload = join(import.meta.dirname, '../setup/no-watch.mjs')

const tryToWatch = `
  import { watch } from 'node:fs'
  try { watch('.').close(); console.log('watches') } catch (error) { console.log(error.code) }`

describe('the preload without fs.watch', () => {
  it('makes watching fail in the process itself', () => {
    expect(run(tryToWatch)).toBe('ENOSYS\n')
  })

  it('makes watching fail in its child processes, in any directory', () => {
    const child = `
      import { execFileSync } from 'node:child_process'
      const args = ['--input-type=module', '-e', ${JSON.stringify(tryToWatch)}]
      process.stdout.write(execFileSync(process.execPath, args, { cwd: '/' }))`
    expect(run(child)).toBe('ENOSYS\n')
  })
})

function run(code: string): string {
  const args = ['--import', preload, '--input-type=module', '-e', code]
  return spawnSync(process.execPath, args, { encoding: 'utf8' }).stdout
}
