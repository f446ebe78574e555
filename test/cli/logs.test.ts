import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runFolder } from '../../src/supervisor/folder.ts'
import { openLogWriter } from '../../src/supervisor/log/writer.ts'
import { type Sandbox, sandbox, until } from './sandbox.ts'

/** A run with something in its log: ten lines, a minute apart, the last one now. */
async function runWithLog(place: Sandbox, { final }: { final: boolean }) {
  const run = await place.hub.runs.start({ command: ['agent'], cwd: place.cwd })
  const { log } = runFolder(place.home, run.id)
  let time = Date.now() - 10 * 60_000
  const writer = await openLogWriter(log, { clock: () => time })
  for (let i = 1; i <= 10; i += 1) {
    time += 60_000
    writer.write('out', Buffer.from(`line ${i}\n`))
    await writer.flush()
  }
  writer.write('err', Buffer.from('oops\n'))
  writer.note('said \u001b[2J by us')
  await writer.close({ final })
  return { run, log }
}

describe('beckon runs logs', () => {
  it('prints each stream where it belongs, and what we noted harmless', async () => {
    const place = await sandbox()
    const { run } = await runWithLog(place, { final: true })
    const all = await place.run(['runs', 'logs', run.id])
    expect(all.code).toBe(0)
    expect(all.stdout).toBe(Array.from({ length: 10 }, (_, i) => `line ${i + 1}\n`).join(''))
    expect(all.stderr).toBe('oops\nbeckon: said \\x1b[2J by us\n')
  })

  it('begins where it is told to', async () => {
    const place = await sandbox()
    const { run } = await runWithLog(place, { final: true })
    const stdout = async (...args: string[]) => (await place.run(['runs', 'logs', run.id, ...args])).stdout
    expect(await stdout('--tail', '4')).toBe('line 9\nline 10\n')
    expect(await stdout('-n', '0')).toBe('')
    expect(await stdout('--since', '150s')).toBe('line 8\nline 9\nline 10\n')
    expect(await stdout('--since', new Date(Date.now() - 90_000).toISOString())).toBe('line 9\nline 10\n')
    expect(await stdout('--since', '1h')).toMatch(/^line 1\n/)
    for (const wrong of [
      ['--since', 'yesterday'],
      ['--tail', '-1'],
      ['--tail', '1', '--since', '1m'],
    ]) {
      const { code, stderr } = await place.run(['runs', 'logs', run.id, ...wrong])
      expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(/since|lines/) })
    }
  })

  it('says what is missing, and where the log of another machine is', async () => {
    const place = await sandbox()
    const run = await place.hub.runs.start({ command: ['agent'], cwd: place.cwd })
    const { log } = runFolder(place.home, run.id)
    const writer = await openLogWriter(log, { segmentBytes: 65_536 })
    for (let i = 0; i < 4; i += 1) {
      writer.write('out', Buffer.alloc(60_000, 'x'))
      await writer.flush()
    }
    await writer.close({ final: true })
    rmSync(join(log, readdirSync(log).sort()[0] as string))
    const { stdout, stderr } = await place.run(['runs', 'logs', run.id])
    const missing = 240_000 - stdout.length
    expect(missing).toBeGreaterThan(0)
    expect(stderr).toBe(`beckon: ${missing} bytes of output were deleted\n`)
    const elsewhere = await place.hub.runs.start({ command: ['agent'], cwd: place.cwd, host: 'elsewhere' })
    const other = await place.run(['runs', 'logs', elsewhere.id])
    expect(other).toMatchObject({ code: 5, stderr: expect.stringContaining('is on elsewhere') })
  })

  it('follows a run to its end, also when its supervisor left the log open', async () => {
    const place = await sandbox()
    const { run, log } = await runWithLog(place, { final: false })
    const following = place.start(['runs', 'logs', run.id, '--follow', '--tail', '1'])
    await until(() => following.written().stderr.includes('by us'), 'the last line')
    const writer = await openLogWriter(log)
    writer.write('out', Buffer.from('more\n'))
    await writer.close({ final: false })
    await until(() => following.written().stdout === 'more\n', 'what came')
    expect(following.child.exitCode).toBeNull()
    await place.hub.runs.change(run.id, { status: 'failed', reason: 'nobody knows' })
    expect(await following.result).toMatchObject({ code: 0, stdout: 'more\n' })
    expect((await place.run(['runs', 'logs', run.id, '-f', '-n', '2'])).stdout).toBe('more\n')
  }, 30_000)
})
