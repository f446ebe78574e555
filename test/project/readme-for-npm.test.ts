import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { absoluteLinks } from '../../scripts/readme/absolute-links.ts'
import { withoutClone } from '../../scripts/readme/without-clone.ts'

const root = join(import.meta.dirname, '../..')
const { repository, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const readmes = globSync('README*.md', { cwd: root }).sort()

it('there are three of them', () => {
  expect(readmes).toEqual(['README.ko.md', 'README.md', 'README.zh.md'])
})

describe.each(readmes)('%s on npm', name => {
  const shown = absoluteLinks(withoutClone(readFileSync(join(root, name), 'utf8')), repository.url, `v${version}`)

  it('has absolute links and pictures', () => {
    const links = [...shown.matchAll(/\]\(([^)]+)\)|src(?:set)?="([^"]+)"/g)].map(
      ([, link, picture]) => link ?? picture,
    )
    expect(links.filter(link => !/^https:\/\/|^#/.test(`${link}`))).toEqual([])
  })

  it('begins with a command that works without a clone', () => {
    expect(/```sh\n(.*)\n/.exec(shown)?.[1]).toBe('npm install --global beckon')
    expect(shown).not.toContain('npm ci')
  })

  it('leads to files that are in the repository', () => {
    const ours =
      /https:\/\/(?:github\.com\/[\w-]+\/[\w-]+\/blob|raw\.githubusercontent\.com\/[\w-]+\/[\w-]+)\/v[\d.]+\/([^)"#\s]+)/g
    const files = [...shown.matchAll(ours)].map(([, file]) => `${file}`)
    expect(files.length).toBeGreaterThan(20)
    expect(files.filter(file => !existsSync(join(root, file)))).toEqual([])
  })
})

it('leaves other links and anchors as they are', () => {
  const text = '[a](https://example.com) [b](#why) [c](docs/web.md#keys) ![d](docs/e.png)'
  expect(absoluteLinks(text, 'git+https://github.com/o/r.git', 'v1.0.0')).toBe(
    '[a](https://example.com) [b](#why) [c](https://github.com/o/r/blob/v1.0.0/docs/web.md#keys) ![d](https://raw.githubusercontent.com/o/r/v1.0.0/docs/e.png)',
  )
})
