import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { branchOf, createBranchLookup } from '../../src/system/git-branch.ts'
import { temporaryFolder } from '../setup/databases.ts'

function repository() {
  const folder = temporaryFolder()
  const git = (...args: string[]) =>
    String(execFileSync('git', ['-C', folder, '-c', 'user.name=a', '-c', 'user.email=a@b', ...args])).trim()
  git('init', '-q', '-b', 'main')
  git('commit', '-q', '--allow-empty', '-m', 'First')
  return { folder, git }
}

describe('the branch of a directory', () => {
  it('is found from anywhere inside, also with slashes, and before the first commit', () => {
    const { folder, git } = repository()
    mkdirSync(join(folder, 'a/b'), { recursive: true })
    expect([folder, join(folder, 'a/b'), join(folder, 'a/b/not there yet')].map(branchOf)).toEqual([
      'main',
      'main',
      'main',
    ])
    git('switch', '-q', '-c', 'feature/größe')
    expect(branchOf(join(folder, 'a'))).toBe('feature/größe')
    git('switch', '-q', '--orphan', 'empty')
    expect(branchOf(folder)).toBe('empty')
  })

  it('is that of the worktree, not of the repository that it belongs to', () => {
    const { folder, git } = repository()
    const other = join(temporaryFolder(), 'worktree')
    git('worktree', 'add', '-q', '-b', 'side', other)
    expect([branchOf(folder), branchOf(other)]).toEqual(['main', 'side'])
  })

  it('is the commit where none is checked out', () => {
    const { folder, git } = repository()
    git('checkout', '-q', '--detach')
    expect(branchOf(folder)).toBe(`detached at ${git('rev-parse', 'HEAD').slice(0, 7)}`)
  })

  it('is looked up anew a moment after it was switched, and at once in another directory', () => {
    let uptime = 100
    const lookUp = createBranchLookup(() => uptime)
    const [here, there] = [repository(), repository()]
    there.git('switch', '-q', '-c', 'side')
    expect([lookUp(here.folder), lookUp(there.folder), lookUp(here.folder)]).toEqual(['main', 'side', 'main'])
    here.git('switch', '-q', '-c', 'next')
    uptime += 0.049
    expect(lookUp(here.folder)).toBe('main')
    uptime += 0.001
    expect(lookUp(here.folder)).toBe('next')
  })

  it('is nothing outside of a repository, and in one that is damaged or hostile', () => {
    const folder = temporaryFolder()
    expect(branchOf(folder)).toBeUndefined()
    mkdirSync(join(folder, '.git'))
    expect(branchOf(folder)).toBeUndefined()
    const head = join(folder, '.git/HEAD')
    for (const text of [
      '',
      'ref: refs/heads/',
      'ref: refs/heads/a b',
      'ref: refs/heads/\u001b[31mred',
      'ref: refs/heads/.invalid\n',
      `ref: refs/heads/${'x'.repeat(500)}`,
      '\0'.repeat(100_000),
    ]) {
      writeFileSync(head, text)
      expect([text, branchOf(folder)]).toEqual([text, undefined])
    }
    rmSync(head)
    // Reading it would wait for a writer for ever.
    execFileSync('mkfifo', [head])
    expect(branchOf(folder)).toBeUndefined()
    rmSync(join(folder, '.git'), { recursive: true })
    symlinkSync('.git', join(folder, '.git'))
    expect(branchOf(folder)).toBeUndefined()
    rmSync(join(folder, '.git'))
    writeFileSync(join(folder, '.git'), 'gitdir: ../nowhere\n')
    expect(branchOf(folder)).toBeUndefined()
  })
})
