import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readExpression } from '../../src/agent/tools/search/expression.ts'
import { matchingLines } from '../../src/agent/tools/search/lines.ts'

// The search of machines without ripgrep.
const program = join(import.meta.dirname, '../../dist/agent/tools/search/main.js')
let folder: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'beckon-search-'))
  write('a.ts', 'one\ntwo\nthree\nfour\nfive\n')
  write('sub/b.ts', 'three\n')
  write('sub/.hidden.ts', 'three\n')
  write('sub/kept.log', 'three\n')
  write('sub/other.log', 'three\n')
  write('dist/c.ts', 'three\n')
  write('.git/config', 'three\n')
  write('picture.ts', 'three\0\n')
  write('.gitignore', 'dist/\n*.log\n')
  write('sub/.gitignore', '!kept.log\n')
  symlinkSync('a.ts', join(folder, 'link.ts'))
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('files', () => {
  it('are those that git does not ignore, hidden ones too, without links', () => {
    expect(search('--files', '--glob', '!.git').lines).toEqual([
      ...['.gitignore', 'a.ts', 'picture.ts', 'sub/.gitignore', 'sub/.hidden.ts', 'sub/b.ts', 'sub/kept.log'],
    ])
  })

  it('are chosen by a glob, in any folder unless it names one', () => {
    expect(search('--files', '--glob', '*.log').lines).toEqual(['sub/kept.log'])
    expect(search('--files', '--glob', '/*.ts').lines).toEqual(['a.ts', 'picture.ts'])
    expect(search('--files', '--glob', 'sub/**').lines).toContain('sub/b.ts')
  })

  it('heed the ignore files of the folders above', () => {
    expect(search('--files', '--glob', '*', '--', 'sub').lines).not.toContain('sub/other.log')
  })
})

describe('lines', () => {
  it('are printed with their file and number, except those of binary files', () => {
    expect(search('--glob', '*.ts', '--regexp', '^thr', '--', '.')).toEqual({
      status: 0,
      lines: ['./a.ts:3:three', './sub/.hidden.ts:1:three', './sub/b.ts:1:three'],
    })
  })

  it('can be searched in one file', () => {
    expect(search('--regexp', 'FO', '--ignore-case', '--', 'a.ts').lines).toEqual(['a.ts:4:four'])
  })

  it('can be left out', () => {
    expect(search('--files-with-matches', '--regexp', 'four', '--', '.').lines).toEqual(['./a.ts'])
  })

  it('come with the lines around them, and a mark between places that do not touch', () => {
    const found = matchingLines('a\nx\nb\nc\nd\nx\nx\n', /x/, { context: 1, columns: 9 })
    expect(found.map(({ number, mark, text }) => (number === null ? '--' : `${number}${mark}${text}`))).toEqual([
      ...['1-a', '2:x', '3-b', '--', '5-d', '6:x', '7:x'],
    ])
  })

  it('are cut when they are long', () => {
    expect(matchingLines('abcdef', /a/, { context: 0, columns: 3 })[0]?.text).toBe('abc [... omitted end of long line]')
  })
})

it.each([
  ['(?i)hello', 'HELLO'],
  ['[[:digit:]]+', '12'],
  ['\\Aone\\z', 'one'],
  ['a\\-b', 'a-b'],
  ['\\p{Lu}', 'É'],
])('reads %s as ripgrep does', (pattern, text) => {
  expect(readExpression(pattern, false).test(text)).toBe(true)
})

it('exits 1 if nothing is found, and 2 with a reason if the expression is wrong', () => {
  expect(search('--regexp', 'nothing like it', '--', '.')).toEqual({ status: 1, lines: [] })
  expect(search('--regexp', '(', '--', '.').status).toBe(2)
})

function search(...args: string[]) {
  const { status, stdout } = spawnSync(process.execPath, [program, ...args], { cwd: folder, encoding: 'utf8' })
  return { status, lines: stdout.split('\n').filter(Boolean) }
}

function write(path: string, text: string) {
  const file = join(folder, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}
