import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { makeDiff } from '../../src/text/make-diff.ts'

/** A repeatable series of numbers below one. */
function seeded(seed: number) {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return state / 2 ** 31
  }
}

it('makes diffs that git can apply to the old text to get the new one', () => {
  const folder = mkdtempSync(join(tmpdir(), 'beckon-diff-'))
  const random = seeded(7)
  for (let round = 0; round < 40; round++) {
    const old = Array.from({ length: Math.floor(random() * 30) }, () => `line ${Math.floor(random() * 8)}`)
    const next = old.flatMap(line => (random() < 0.2 ? [] : random() < 0.2 ? [line, 'new'] : [line]))
    const [before, after] = [old, next].map(lines => lines.map(line => `${line}\n`).join(''))
    const diff = makeDiff('a.txt', before ?? '', after ?? '')
    if (before === after) expect(diff).toBe('')
    else {
      const file = join(folder, 'a.txt')
      writeFileSync(file, before ?? '')
      execFileSync('git', ['apply', '-'], { cwd: folder, input: `${diff}\n` })
      expect(readFileSync(file, { encoding: 'utf8', flag: 'a+' })).toBe(after)
    }
  }
  rmSync(folder, { recursive: true })
})

it('compares large files quickly', () => {
  const lines = Array.from({ length: 50_000 }, (_, i) => `line ${i}`)
  const started = process.cpuUsage()
  const diff = makeDiff('a.txt', lines.join('\n'), lines.with(25_000, 'changed').join('\n'))
  expect(diff.split('\n')).toHaveLength(11)
  expect(makeDiff('a.txt', lines.join('\n'), lines.toReversed().join('\n')).split('\n').length).toBeGreaterThan(99_000)
  const { user } = process.cpuUsage(started)
  expect(user / 1_000).toBeLessThan(2_000)
})
