import { PassThrough } from 'node:stream'
import { expect, it } from 'vitest'
import { formatTable } from '../../src/cli/output/table.ts'
import { widthOf } from '../../src/text/width.ts'

const id = 'req_01kdh2x9rjc4n2q8s5v7w9y0a1'
const head = ['ID', 'AGE', 'KIND', 'AGENT', 'TITLE']
const rows = [
  [id, '12m', 'question', 'shell', 'Which database shall it be, and why that one of all?'],
  [id, '3h', 'approval', '도우미', 'rm -rf build'],
]

function terminal(columns?: number) {
  return Object.assign(new PassThrough(), columns === undefined ? {} : { isTTY: true as const, columns })
}

it('a table aligns rows under their headings, and cuts off what does not fit the terminal', () => {
  const lines = formatTable(head, rows, terminal(100)).split('\n')
  expect(lines[0]).toBe(`ID${' '.repeat(id.length)}AGE  KIND      AGENT   TITLE`)
  expect(lines[1]).toMatch(/question {2}shell {3}Which database shall it be, and why that one…$/v)
  expect(lines[2]).toBe(`${id}  3h   approval  도우미  rm -rf build`)
})

it.each([40, 60, 74])('a table shows every title on a terminal of %i columns', columns => {
  const table = formatTable(head, rows, terminal(columns))
  expect(table).toContain(`${id}\n  12m  question  shell\n  Which database shall it be, and why`)
  expect(table).toContain(`${id}\n  3h  approval  도우미\n  rm -rf build\n`)
  for (const line of table.split('\n')) expect(widthOf(line)).toBeLessThanOrEqual(columns)
})

it('a table cuts nothing off without a terminal', () => {
  expect(formatTable(head, rows, terminal())).toContain(' why that one of all?\n')
})
