import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { digestOfAction } from '../../src/approval/action-digest.ts'
import { commandLine } from '../../src/approval/command-line.ts'
import { takeFacts } from '../../src/approval/take-facts.ts'
import { createKeyedHash } from '../../src/secrets/keyed-hash.ts'

let cwd: string
beforeAll(() => {
  cwd = realpathSync(mkdtempSync(join(tmpdir(), 'beckon-digest-')))
})
afterAll(() => rmSync(cwd, { recursive: true, force: true }))

const hmac = createKeyedHash(Buffer.alloc(32))
const env = { PATH: '/usr/bin', HOME: '/home/person', TERM: 'xterm' }

function digestOf(words: string[], more: Record<string, string> = {}, folder = cwd) {
  const facts = takeFacts(words, { cwd: folder, env: { ...env, ...more } }, { segments: [] }, hmac)
  const argv = words.length === 1 ? undefined : words
  return digestOfAction({ command: commandLine(words), argv, cwd: folder, facts })
}

describe('the digest of a command', () => {
  it('is the same for the same words, directory, files and environment', () => {
    expect(digestOf(['git stash drop'])).toBe(digestOf(['git stash drop']))
  })

  it('differs for different words that join to the same text', () => {
    expect(digestOf(['git stash', 'drop'])).not.toBe(digestOf(['git', 'stash drop']))
  })

  it('differs in another directory', () => {
    expect(digestOf(['git stash drop'], {}, '/')).not.toBe(digestOf(['git stash drop']))
  })

  it('differs when another folder has taken the place of the directory', () => {
    const place = join(cwd, 'place')
    mkdirSync(place)
    const before = digestOf(['ls'], {}, place)
    expect(digestOf(['ls'], {}, place)).toBe(before)
    renameSync(place, `${place}-moved`)
    mkdirSync(place)
    expect(digestOf(['ls'], {}, place)).not.toBe(before)
  })

  it('differs when the content of a file that the command names changes', () => {
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
    'PERL5OPT',
    'RUBYOPT',
    'npm_config_script_shell',
    'KUBECONFIG',
  ])('differs when %s has another value', name => {
    expect(digestOf(['git stash drop'], { [name]: '/elsewhere' })).not.toBe(digestOf(['git stash drop']))
  })

  it('differs when a variable that the command names has another value', () => {
    const words = [`rm -rf "$TARGET" $\{OTHER:-x}`]
    expect(digestOf(words, { TARGET: 'a' })).not.toBe(digestOf(words, { TARGET: 'b' }))
    expect(digestOf(words, { OTHER: 'a' })).not.toBe(digestOf(words, { OTHER: 'b' }))
  })

  it('does not depend on variables that are never passed on, on those of the terminal, or on their order', () => {
    const startup = { BASH_ENV: '/x', 'BASH_FUNC_ls%%': '() { :; }' }
    expect(digestOf(['git stash drop'], startup)).toBe(digestOf(['git stash drop']))
    const other = { TERM: 'dumb', COLUMNS: '80', SSH_TTY: '/dev/pts/1', BECKON_RUN: 'run_1', LANG: 'C' }
    expect(digestOf(['git stash drop'], other)).toBe(digestOf(['git stash drop']))
    const reversed = Object.fromEntries(Object.entries(env).reverse())
    const facts = takeFacts(['git stash drop'], { cwd, env: reversed }, { segments: [] }, hmac)
    expect(digestOfAction({ command: 'git stash drop', cwd, facts })).toBe(digestOf(['git stash drop']))
  })
})

describe('the digest of a tool call', () => {
  const call = { tool: 'Write', input: { path: '/etc/x', content: 'hello' }, cwd: '/work' }

  it('depends on the tool, its input and the directory', () => {
    const digest = digestOfAction(call)
    expect(digestOfAction({ ...call })).toBe(digest)
    expect(digestOfAction({ ...call, tool: 'Edit' })).not.toBe(digest)
    expect(digestOfAction({ ...call, input: { path: '/etc/x', content: 'world' } })).not.toBe(digest)
    expect(digestOfAction({ ...call, cwd: '/' })).not.toBe(digest)
  })

  it('does not depend on how the input is spelled', () => {
    expect(digestOfAction({ ...call, input: { content: 'hello', path: '/etc/x' } })).toBe(digestOfAction(call))
  })
})
