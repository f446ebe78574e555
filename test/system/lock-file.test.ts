import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createLock, isHeld } from '../../src/system/lock-file.ts'
import { isRunningProcess } from '../../src/system/processes/identity.ts'
import { startProcess } from '../setup/start-process.ts'

const ownerProgram = join(import.meta.dirname, 'processes/lock-owner.ts')

describe('a lock file', () => {
  let folder: string
  let file: string

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'beckon-lock-'))
    file = join(folder, 'lock')
  })

  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  it('is taken once, may be taken again by its owner, and is free after its release', () => {
    const lock = createLock(file)
    expect([lock.take(), lock.take(), lock.isMine(), isHeld(file)]).toEqual([true, true, true, true])
    lock.release()
    expect([lock.isMine(), isHeld(file), existsSync(file)]).toEqual([false, false, false])
  })

  it('is refused while another process holds it, and taken over when that process is killed', async () => {
    const owner = await takenByAnother()
    const lock = createLock(file)
    expect([lock.take(), lock.isMine()]).toEqual([false, false])
    lock.release()
    expect(isHeld(file)).toBe(true)
    owner.kill('SIGKILL')
    await once(owner, 'exit')
    expect([isHeld(file), lock.take(), lock.isMine()]).toEqual([false, true, true])
  })

  it('is taken from a stopped owner only where the lock says so', async () => {
    const owner = await takenByAnother()
    owner.kill('SIGSTOP')
    try {
      expect(createLock(file).take()).toBe(false)
      await expect.poll(() => createLock(file, { isHolding: isRunningProcess }).take()).toBe(true)
    } finally {
      owner.kill('SIGKILL')
    }
  })

  async function takenByAnother() {
    const child = startProcess(ownerProgram, [file])
    const [output] = await once(child.stdout ?? child, 'data')
    expect(String(output)).toBe('true')
    return child
  }
})
