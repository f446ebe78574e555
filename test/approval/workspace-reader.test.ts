import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { workspaceReader } from '../../src/approval/workspace-reader.ts'

let root: string
let workspace: string

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'reader-')))
  workspace = join(root, 'workspace')
  mkdirSync(join(workspace, 'scripts'), { recursive: true })
  writeFileSync(join(workspace, 'x.sh'), 'echo ü\n')
  writeFileSync(join(root, 'secret.sh'), 'echo secret\n')
})

function read(path: string) {
  return workspaceReader(workspace)(join(workspace, path))
}

describe('the reader of a workspace', () => {
  it('reads a regular file, also by a link that stays in the workspace', () => {
    symlinkSync('../x.sh', join(workspace, 'scripts/link.sh'))
    expect(read('x.sh')).toEqual({ text: 'echo ü\n' })
    expect(read('scripts/link.sh')).toEqual({ text: 'echo ü\n' })
    expect(read('scripts/../x.sh')).toEqual({ text: 'echo ü\n' })
  })

  it('reads nothing outside of the workspace, whatever leads there', () => {
    symlinkSync('../secret.sh', join(workspace, 'file-link'))
    symlinkSync('..', join(workspace, 'folder-link'))
    symlinkSync('/etc/passwd', join(workspace, 'far-link'))
    writeFileSync(join(root, 'workspace.sh'), 'a name that begins like the workspace')
    for (const path of ['file-link', 'folder-link/secret.sh', 'far-link', '../secret.sh', '../workspace.sh'])
      expect(read(path), path).toEqual({ unread: 'outside' })
  })

  it('takes a workspace that is itself behind a link', () => {
    symlinkSync(workspace, join(root, 'link'))
    expect(workspaceReader(join(root, 'link'))(join(root, 'link/x.sh'))).toEqual({ text: 'echo ü\n' })
  })

  it('does not wait for a pipe, and reads no device and no folder', () => {
    execFileSync('mkfifo', [join(workspace, 'pipe')])
    symlinkSync('pipe', join(workspace, 'pipe-link'))
    symlinkSync('/dev/zero', join(workspace, 'device'))
    expect(read('pipe')).toEqual({ unread: 'not-a-file' })
    expect(read('pipe-link')).toEqual({ unread: 'not-a-file' })
    expect(read('device')).toEqual({ unread: 'outside' })
    expect(read('scripts')).toEqual({ unread: 'not-a-file' })
  })

  it('does not read large files and files that are not text', () => {
    writeFileSync(join(workspace, 'large'), Buffer.alloc(10_000_000, 'x'))
    writeFileSync(join(workspace, 'long'), 'x'.repeat(100_001))
    writeFileSync(join(workspace, 'most'), 'ü'.repeat(100_000))
    writeFileSync(join(workspace, 'binary'), Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 1]))
    writeFileSync(join(workspace, 'latin'), Buffer.from([0x65, 0xe9, 0x0a]))
    expect(read('large')).toEqual({ unread: 'too-large' })
    expect(read('long')).toEqual({ unread: 'too-large' })
    expect(read('most')).toHaveProperty('text.length', 100_000)
    expect(read('binary')).toEqual({ unread: 'not-text' })
    expect(read('latin')).toEqual({ unread: 'not-text' })
  })

  it('reads nothing outside while a folder is exchanged for a link again and again', async () => {
    for (const [folder, text] of [
      [join(workspace, 'inside'), 'inside'],
      [join(root, 'outside'), 'outside'],
    ] as const) {
      mkdirSync(folder)
      writeFileSync(join(folder, 'x.sh'), text)
    }
    symlinkSync('../outside', join(workspace, 'link'))
    const exchange = `const { renameSync } = require('node:fs')
      process.stdout.write('ready')
      for (;;) {
        renameSync('inside', 'd'), renameSync('d', 'inside')
        renameSync('link', 'd'), renameSync('d', 'link')
      }`
    const child = spawn(process.execPath, ['-e', exchange], { cwd: workspace, stdio: ['ignore', 'pipe', 'inherit'] })
    await once(child.stdout, 'data')
    const seen = new Set<string>()
    for (let i = 0; i < 20_000; i += 1) {
      const result = read('d/x.sh')
      if ('text' in result) seen.add(result.text)
    }
    child.kill()
    await once(child, 'exit')
    expect(seen.has('outside')).toBe(false)
  }, 60_000)

  it('never throws', () => {
    symlinkSync('loop', join(workspace, 'loop'))
    expect(read('missing')).toEqual({ unread: 'missing' })
    expect(read('x.sh/y')).toEqual({ unread: 'missing' })
    expect(read('loop')).toEqual({ unread: 'unreadable' })
    expect(read('a\0b')).toEqual({ unread: 'unreadable' })
    expect(read('x'.repeat(5_000))).toEqual({ unread: 'unreadable' })
    expect(workspaceReader('/nowhere')('/nowhere/x')).toEqual({ unread: 'missing' })
    expect(workspaceReader('')('')).toHaveProperty('unread')
  })
})
