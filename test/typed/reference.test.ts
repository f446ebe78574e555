import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { libraryReference } from '../../scripts/library-reference.ts'

it('docs/reference.md lists what the package exports, with its types', () => {
  const document = readFileSync('docs/reference.md', 'utf8')
  expect(document, 'run: node scripts/library-reference.ts').toBe(libraryReference())
})

it('every type that the page names is on it, or comes with the language', () => {
  const document = readFileSync('docs/reference.md', 'utf8')
  const code = [...document.matchAll(/```ts\n([\s\S]*?)```|`([^`\n]+)`/g)].map(
    ([, block, inline]) => block ?? inline ?? '',
  )
  // Words in quotes are values.
  const named = code.flatMap(each => each.replaceAll(/'[^']*'/g, '').match(/\b[A-Z]\w*[a-z]\w*/g) ?? [])
  const listed = [...document.matchAll(/^#### (\w+)$/gm)].map(([, name]) => name)
  expect(listed.length).toBeGreaterThan(90)
  expect(
    [...new Set(named)].filter(name => !listed.includes(name) && !(name in globalThis || known.has(name))),
  ).toEqual([])
})

const known = new Set([
  'AsyncDisposable',
  'AsyncIterable',
  'Omit',
  'Partial',
  'Pick',
  'ProcessEnv',
  'Readonly',
  'Record',
  'RequestInit',
])
