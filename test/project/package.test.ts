import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { bundled } from '../../scripts/bundled.ts'

const root = join(import.meta.dirname, '../..')
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const files = readdirSync(join(root, 'dist'), { recursive: true, encoding: 'utf8' })
const code = files.filter(name => /\.c?js$/.test(name) && !name.startsWith('web/'))

describe('what users install', () => {
  it('has caret ranges where programs may have the same package', () => {
    const { zod, pg } = manifest.dependencies
    expect([zod, pg, manifest.peerDependencies.ai]).toEqual([zod, pg, manifest.peerDependencies.ai].map(caret))
  })

  it('leaves out every package that is bundled', () => {
    expect(bundled.filter(name => manifest.dependencies[name])).toEqual([])
    expect(bundled.filter(name => !manifest.devDependencies[name])).toEqual([])
  })
})

describe('the pages in the package', () => {
  it('link to files that are in it, too, but for pictures', () => {
    const shipped = ['package.json', 'README.md', 'LICENSE', ...manifest.files]
    const missing = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
      .filter(name => name.endsWith('.md'))
      .flatMap(page => linksOf(join('docs', page)))
      .filter(({ file }) => !file.startsWith('docs/images/'))
      .filter(({ file }) => !shipped.includes(`${file.split('/')[0]}`) || !existsSync(join(root, file)))
    expect(missing).toEqual([])
  })
})

describe('the built library', () => {
  it('has a source map beside every file, with our sources in it', () => {
    const library = code.filter(name => name.endsWith('.js'))
    expect(library.filter(name => !files.includes(`${name}.map`))).toEqual([])
    const own = library.flatMap(name => {
      const { sources, sourcesContent } = JSON.parse(readFileSync(join(root, 'dist', `${name}.map`), 'utf8'))
      const at = sources.findIndex((source: string) => source.endsWith('/src/protocol/errors.ts'))
      return at < 0 ? [] : [sourcesContent[at]]
    })
    expect(own).toContain(readFileSync(join(root, 'src/protocol/errors.ts'), 'utf8'))
  })

  it('names its shared files after what is in them', () => {
    const chunks = files.filter(name => /^chunks\/.*\.js$/.test(name))
    expect(chunks.filter(name => !/^chunks\/[a-z-]+-[A-Z0-9]{8}\.js$/.test(name))).toEqual([])
    expect(chunks.some(name => name.startsWith('chunks/guard-'))).toBe(true)
  })

  it('passes on the licences of what it bundles', () => {
    const licences = readFileSync(join(root, 'dist/licenses.txt'), 'utf8')
    expect(bundled.filter(name => !licences.includes(`\n${name} `))).toEqual([])
  })
})

/** The relative links of a page, from the root. */
function linksOf(page: string): { page: string; file: string }[] {
  const links = readFileSync(join(root, page), 'utf8').matchAll(/\]\((?!https?:|mailto:|#)([^)#\s]+)/g)
  return [...links].map(([, link = '']) => ({ page, file: join(dirname(page), link) }))
}

function caret(range: string): string {
  return `^${range.replace(/^\^/, '')}`
}
