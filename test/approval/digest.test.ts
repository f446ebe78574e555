import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bindCommand, bindToolCall } from '../../src/approval/digest.ts'

let cwd: string
beforeAll(() => {
  cwd = realpathSync(mkdtempSync(join(tmpdir(), 'beckon-digest-')))
})
afterAll(() => rmSync(cwd, { recursive: true, force: true }))

const env = { PATH: '/usr/bin', HOME: '/home/person', TERM: 'xterm' }

function digestOf(words: string[], more: Record<string, string> = {}, folder = cwd) {
  return bindCommand(words, { cwd: folder, env: { ...env, ...more } }, []).digest
}

describe('what a yes to a command is bound to', () => {
  it('is the same for the same words, directory, files and environment', () => {
    expect(digestOf(['git stash drop'])).toBe(digestOf(['git stash drop']))
  })

  it('is another one for other words, also if they are written the same', () => {
    expect(digestOf(['git stash', 'drop'])).not.toBe(digestOf(['git', 'stash drop']))
  })

  it('is another one in another directory', () => {
    expect(digestOf(['git stash drop'], {}, '/')).not.toBe(digestOf(['git stash drop']))
  })

  it('is another one when a file that the command names has other contents', () => {
    writeFileSync(join(cwd, 'clean.sh'), 'one')
    const before = digestOf(['bash clean.sh'])
    writeFileSync(join(cwd, 'clean.sh'), 'two')
    expect(digestOf(['bash clean.sh'])).not.toBe(before)
  })

  it.each([
    'PATH',
    'HOME',
    'LD_PRELOAD',
    'LD_LIBRARY_PATH',
    'DYLD_INSERT_LIBRARIES',
    'NODE_OPTIONS',
    'PYTHONPATH',
    'GIT_DIR',
    'GIT_SSH_COMMAND',
    'BASH_ENV',
    'BASH_FUNC_ls%%',
    'PERL5OPT',
    'RUBYOPT',
    'npm_config_script_shell',
    'KUBECONFIG',
  ])('is another one when %s is set to something else', name => {
    expect(digestOf(['git stash drop'], { [name]: '/elsewhere' })).not.toBe(digestOf(['git stash drop']))
  })

  it('is another one when a variable that the command names has another value', () => {
    const words = [`rm -rf "$TARGET" $\{OTHER:-x}`]
    expect(digestOf(words, { TARGET: 'a' })).not.toBe(digestOf(words, { TARGET: 'b' }))
    expect(digestOf(words, { OTHER: 'a' })).not.toBe(digestOf(words, { OTHER: 'b' }))
  })

  it('does not depend on what differs between two terminals of the same person, nor on the order', () => {
    const other = { TERM: 'dumb', COLUMNS: '80', SSH_TTY: '/dev/pts/1', BECKON_RUN: 'run_1', LANG: 'C' }
    expect(digestOf(['git stash drop'], other)).toBe(digestOf(['git stash drop']))
    const reversed = Object.fromEntries(Object.entries(env).reverse())
    expect(bindCommand(['git stash drop'], { cwd, env: reversed }, []).digest).toBe(digestOf(['git stash drop']))
  })
})

describe('what a yes to a tool call is bound to', () => {
  it('is the tool, its input and the directory', () => {
    const { digest, files } = bindToolCall('Write', '/etc/x\nhello', cwd)
    expect(files).toEqual([])
    expect(bindToolCall('Write', '/etc/x\nhello', cwd).digest).toBe(digest)
    expect(bindToolCall('Edit', '/etc/x\nhello', cwd).digest).not.toBe(digest)
    expect(bindToolCall('Write', '/etc/x\nworld', cwd).digest).not.toBe(digest)
    expect(bindToolCall('Write', '/etc/x\nhello', '/').digest).not.toBe(digest)
  })
})
