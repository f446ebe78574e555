import { describe, expect, it } from 'vitest'
import type { GitState, ReadGitState } from '../../src/guard/git-state.ts'
import { classifyInProject } from './classify-in-project.ts'
import { readCorpus } from './corpus.ts'

describe('the guard, where the caller knows how git holds files', () => {
  it.each([
    'ls -R src',
    'git push',
    'rm notes.txt',
    'rm -rf node_modules dist',
    'rm -rf /tmp/x',
    'rm -rf ~/x',
    'make clean',
  ])('does not ask about git for %s', command => {
    expect(questionsOf(command)).toEqual([])
  })

  it.each([
    ['rm -rf src/old lib/a', [['src/old'], ['lib/a']]],
    ['cd lib && rm -rf ../src/old', [['src/old']]],
    ['rm -rf src/old/*', [['src/old']]],
    ['rm -rf src/*.bak', [['src', '*.bak']]],
    ['rm -rf packages/*/old', [['packages', '*/old']]],
    ['rm -rf "src/$name"', [['src', '*']]],
    ["find src -name '*.bak' -delete", [['src', '**/*.bak']]],
    ["find . -name '*.bak' | xargs rm", [['', '**/*.bak']]],
    ['shopt -s extglob; rm -rf src/*.+(a|b)', [['src', '**']]],
    ['rm -rf "src/a*b"', [['src/a*b']]],
  ])('asks about what %s deletes, and once', (command, questions) => {
    const asked = questions.map(([path, pattern = null]) => [`/home/me/project/${path}`.replace(/\/$/, ''), pattern])
    expect(questionsOf(command)).toEqual(asked)
  })

  it('judges as before where everything is committed', () => {
    expect(verdictWith('rm -rf lib/old', () => 'committed')).toBe('allow')
    expect(verdictWith('rm -rf src', () => 'committed')).toBe('ask')
  })

  it('asks about no everyday command where all is committed, and about few where nothing is', () => {
    const everyday = readCorpus().flatMap(({ want, commands }) => (want === 'allow' ? commands : []))
    const asked = (state: GitState) => everyday.filter(command => verdictWith(command, () => state) !== 'allow')
    expect(asked('committed').filter(command => verdictWith(command) === 'allow')).toEqual([])
    expect(asked('uncommitted').length / everyday.length).toBeLessThan(0.005)
  })

  it('does not take a workspace for a build because of the folders that it lies in', () => {
    const there = { cwd: '/tmp/build/x', workspace: '/tmp/build/x', gitState: () => 'no-repository' as const }
    expect(classifyInProject('rm -rf thesis', there).verdict).toBe('ask')
    expect(classifyInProject('rm -rf thesis/yarn.lock', there).verdict).toBe('allow')
  })

  it('asks where the caller fails', () => {
    const failing = () => {
      throw new Error('no git')
    }
    expect(verdictWith('rm -rf lib/old', failing)).toBe('ask')
  })

  it('does not take the word of this machine for a command on another', () => {
    expect(verdictWith('ssh host rm -rf lib/old', () => 'uncommitted')).toBe(verdictWith('ssh host rm -rf lib/old'))
  })
})

function questionsOf(command: string): unknown[] {
  const asked: unknown[] = []
  const gitState = (path: string, pattern: string | null): GitState => {
    asked.push([path, pattern])
    return 'committed'
  }
  classifyInProject(command, { gitState })
  return asked
}

function verdictWith(command: string, gitState?: ReadGitState): string {
  return classifyInProject(command, gitState ? { gitState } : {}).verdict
}
