import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runFolder } from '../../src/supervisor/folder.ts'
import { openLogWriter } from '../../src/supervisor/log/writer.ts'
import { createSandbox, launcher, type Sandbox, until } from './sandbox.ts'
import { terminal } from './tmux.ts'

/** A run whose log has ten lines, a minute apart, the last one from now. */
async function runWithLog(sandbox: Sandbox, { final }: { final: boolean }) {
  const run = await sandbox.hub.runs.start({ command: ['agent'], cwd: sandbox.cwd })
  const { log } = runFolder(sandbox.home, run.id)
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
  it("prints stdout and stderr separately, and escapes Beckon's notes", async () => {
    const sandbox = await createSandbox()
    const { run } = await runWithLog(sandbox, { final: true })
    const all = await sandbox.run(['runs', 'logs', run.id])
    expect(all.code).toBe(0)
    expect(all.stdout).toBe(Array.from({ length: 10 }, (_, i) => `line ${i + 1}\n`).join(''))
    expect(all.stderr).toBe('oops\nbeckon: said \\x1b[2J by us\n')
  })

  it('starts at --tail or --since', async () => {
    const sandbox = await createSandbox()
    const { run } = await runWithLog(sandbox, { final: true })
    const stdout = async (...args: string[]) => (await sandbox.run(['runs', 'logs', run.id, ...args])).stdout
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
      const { code, stderr } = await sandbox.run(['runs', 'logs', run.id, ...wrong])
      expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(/since|lines/) })
    }
  })

  it('reports deleted output, and names the machine that has the log', async () => {
    const sandbox = await createSandbox()
    const run = await sandbox.hub.runs.start({ command: ['agent'], cwd: sandbox.cwd })
    const { log } = runFolder(sandbox.home, run.id)
    const writer = await openLogWriter(log, { segmentBytes: 65_536 })
    for (let i = 0; i < 4; i += 1) {
      writer.write('out', Buffer.alloc(60_000, 'x'))
      await writer.flush()
    }
    await writer.close({ final: true })
    rmSync(join(log, readdirSync(log).sort()[0] as string))
    const { stdout, stderr } = await sandbox.run(['runs', 'logs', run.id])
    const missing = 240_000 - stdout.length
    expect(missing).toBeGreaterThan(0)
    expect(stderr).toBe(`beckon: ${missing} bytes of output were deleted\n`)
    const elsewhere = await sandbox.hub.runs.start({ command: ['agent'], cwd: sandbox.cwd, host: 'elsewhere' })
    const other = await sandbox.run(['runs', 'logs', elsewhere.id])
    expect(other).toMatchObject({ code: 5, stderr: expect.stringContaining('is on elsewhere') })
  })

  it('follows a run to its end, even if its supervisor left the log open', async () => {
    const sandbox = await createSandbox()
    const { run, log } = await runWithLog(sandbox, { final: false })
    const following = sandbox.start(['runs', 'logs', run.id, '--follow', '--tail', '1'])
    await until(() => following.written().stderr.includes('by us'), 'the last line')
    const writer = await openLogWriter(log)
    writer.write('out', Buffer.from('more\n'))
    await writer.close({ final: false })
    await until(() => following.written().stdout === 'more\n', 'the new line')
    expect(following.child.exitCode).toBeNull()
    await sandbox.hub.runs.change(run.id, { status: 'failed', reason: 'nobody knows' })
    expect(await following.result).toMatchObject({ code: 0, stdout: 'more\n' })
    expect((await sandbox.run(['runs', 'logs', run.id, '-f', '-n', '2'])).stdout).toBe('more\n')
  }, 30_000)

  it('shows control characters on a terminal, and prints every byte as it is elsewhere', async () => {
    const sandbox = await createSandbox()
    const run = await sandbox.hub.runs.start({ command: ['agent'], cwd: sandbox.cwd })
    const writer = await openLogWriter(runFolder(sandbox.home, run.id).log)
    const [first, second] = [Buffer.from('\u001b[2Ja\tb 한').subarray(0, -1), Buffer.from('한!\r')].map((bytes, i) =>
      i === 0 ? bytes : bytes.subarray(2),
    ) as [Buffer, Buffer]
    const output: ['out' | 'err', Buffer][] = [
      ['out', first],
      ['err', Buffer.from('\u001b]52;c;ZXZpbA==\u0007 copied\r\n')],
      ['out', second],
      ['out', Buffer.from('\nlast \u202e line\r')],
    ]
    for (const [stream, bytes] of output) {
      writer.write(stream, bytes)
      await writer.flush()
    }
    await writer.close({ final: true })
    const all = (stream: string) => Buffer.concat(output.filter(([one]) => one === stream).map(([, bytes]) => bytes))
    const piped = await sandbox.run(['runs', 'logs', run.id])
    expect(piped).toEqual({ code: 0, stdout: String(all('out')), stderr: String(all('err')) })
    // On one terminal both streams; the command's stdout is a file unless it is sent to the terminal.
    const args = ['-c', 'exec "$@" >/dev/tty', 'bash', process.execPath, launcher, 'runs', 'logs', run.id]
    for (const more of [[], ['-f']]) {
      const { shows, tmux } = terminal(sandbox, [...args, ...more], {}, { interpreter: 'bash' })
      await shows('last \\u202e line\\r')
      const raw = tmux('capture-pane', '-p', '-e')
      expect(raw).toContain('\\x1b[2Ja        b \\x1b]52;c;ZXZpbA==\\x07 copied\n한!\nlast')
    }
  })
})
