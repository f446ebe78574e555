import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { expandGlob } from '../../src/approval/facts/globs.ts'

let cwd: string
beforeAll(() => {
  cwd = realpathSync(mkdtempSync(join(tmpdir(), 'beckon-globs-')))
  mkdirSync(join(cwd, 'a'))
  mkdirSync(join(cwd, 'ab'))
  for (const name of ['a/1', 'a/b', 'ab/a', 'b', 'aa', 'aba', '.a', 'a.b', 'x+y']) writeFileSync(join(cwd, name), '')
})
afterAll(() => rmSync(cwd, { recursive: true, force: true }))

it('finds everything that bash finds', () => {
  const part = fc.constantFrom('*', '?', 'a', 'b', '.', '/', '[ab]', '[!a]', '[a-c]', '+', 'x')
  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: 6 }), parts => {
      const pattern = parts.join('')
      fc.pre(/[*?[]/.test(pattern) && !pattern.startsWith('/') && !/\/\/|\.\.|\/$|(^|\/)\.(\/|$)/.test(pattern))
      const found = execFileSync('bash', ['-c', `shopt -s nullglob; printf '%s\\n' ${pattern}`], {
        cwd,
        encoding: 'utf8',
      })
      const expected = found.split('\n').filter(line => line !== '' && !/(^|\/)\.{1,2}$/.test(line))
      const { paths } = expandGlob(pattern, cwd, 100)
      expect(paths).toEqual(expect.arrayContaining(expected.map(path => join(cwd, path))))
    }),
    { numRuns: 120 },
  )
})

it('takes no longer for a pattern of many stars', () => {
  const name = 'a'.repeat(250)
  writeFileSync(join(cwd, name), '')
  expect(expandGlob(`${'a*'.repeat(120)}b`, cwd, 100).paths).toEqual([])
  expect(expandGlob(`${'a*'.repeat(120)}`, cwd, 100).paths).toEqual([join(cwd, name)])
})

it('says when there are more matches than it may return', () => {
  expect(expandGlob('a*', cwd, 2)).toMatchObject({ paths: { length: 2 }, isCut: true })
})
