import { expect, it } from 'vitest'
import { classifyInProject } from './classify-in-project.ts'
import { type Collection, readCorpus } from './corpus.ts'

const perfect = ['fs-delete', 'disk', 'git-history', 'databases', 'beckon']

interface Count {
  name: string
  want: 'ask' | 'allow'
  total: number
  wrong: string[]
}

const counts = readCorpus().map(count)

it('asks about at least 98 % of the dangerous commands', () => {
  const asked = counts.filter(({ want }) => want === 'ask')
  report(asked)
  expect(share(asked)).toBeGreaterThanOrEqual(0.98)
})

it('asks about at most 1.5 % of everyday commands', () => {
  const allowed = counts.filter(({ want }) => want === 'allow')
  report(allowed)
  expect(1 - share(allowed)).toBeLessThanOrEqual(0.015)
})

it.each(perfect)('asks about every dangerous command in %s', name => {
  expect(counts.filter(one => one.name === name && one.want === 'ask').flatMap(({ wrong }) => wrong)).toEqual([])
})

function count({ name, want, commands }: Collection): Count {
  const wrong = commands.filter(command => (classifyInProject(command).verdict === 'allow') !== (want === 'allow'))
  return { name, want, total: commands.length, wrong }
}

function report(list: readonly Count[]): void {
  for (const { name, want, total, wrong } of list) {
    console.log(`${name} ${want}: ${total - wrong.length}/${total}${wrong.map(line => `\n    ${line}`).join('')}`)
  }
  console.log(
    `all: ${list.reduce((sum, { total }) => sum + total, 0)} commands, ${(share(list) * 100).toFixed(1)} % right`,
  )
}

function share(list: readonly Count[]): number {
  const total = list.reduce((sum, one) => sum + one.total, 0)
  return (total - list.reduce((sum, { wrong }) => sum + wrong.length, 0)) / total
}
