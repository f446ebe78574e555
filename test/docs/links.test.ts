import { globSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { expect, it } from 'vitest'
import { pages, pageText, root } from './blocks.ts'
import { linksOf, problemOf } from './links.ts'

const everywhere = globSync('**/*.md', { cwd: root, exclude: name => /^(node_modules|dist|\.git)$/.test(name) })
const index = 'docs/README.md'

it('every link and picture leads to a file that exists, and to one of its headings', () => {
  const problems = everywhere.flatMap(file =>
    linksOf(file).flatMap(link => problemOf(link)?.replace(/^/, `${file}: `) ?? []),
  )
  expect(problems).toEqual([])
})

it('a link that leads nowhere is noticed', () => {
  const page = '[a](faq.md) [b](faqs.md) [c](server.md#signing-in) [d](server.md#signing-up) `[e](code.md)` ![f](g.png)'
  const problems = linksOf('docs/page.md', page).map(problemOf)
  expect(problems.filter(problem => problem !== null)).toEqual([
    'docs/faqs.md does not exist',
    'docs/server.md has no heading #signing-up',
    'docs/g.png does not exist',
  ])
})

it('every page is in the index', () => {
  const listed = [index, 'README.ko.md', 'README.zh.md', ...linksOf(index).map(({ to }) => to)]
  expect(pages.filter(page => !listed.includes(page))).toEqual([])
})

it('every page for a task starts with an example', () => {
  const [, tasks = ''] = /\n## Tasks\n([\s\S]*?)\n## /.exec(pageText(index)) ?? []
  const linked = [...tasks.matchAll(/^- \[[^\]]+\]\(([^)#\s]+)\)/gm)].map(([, to = '']) =>
    normalize(join(dirname(index), to)),
  )
  expect(linked.length).toBeGreaterThan(12)
  expect(linked.filter((page, n) => linked.indexOf(page) !== n)).toEqual([])
  // Before the first heading below the title.
  expect(linked.filter(page => !/^# [^\n]+\n(?:(?!\n## )[\s\S])*\n```\w+\n/.test(pageText(page)))).toEqual([])
})
