import * as path from 'node:path'
import { describe, expect, it } from 'vitest'
import { contains, grammarOf, isAbsolute, isPlainRelative, resolvePath } from '../../src/rules/file-paths.ts'

const directories = ['/', '/a', '/a/./b//', 'C:\\', 'C:\\a\\..\\b', 'c:/a/b', '\\\\s\\a', '\\\\s\\a\\b']
const parts = ['..', '.', 'a', 'A', 'b', 'C:', 'd:', '\\', '/', 's']

/** Every path of up to four parts. */
function* paths(length = 4): Generator<string> {
  yield ''
  if (length > 0) for (const rest of paths(length - 1)) for (const part of parts) yield part + rest
}

describe.each(directories)('paths relative to %s', directory => {
  const node = directory.startsWith('/') ? path.posix : path.win32
  const grammar = grammarOf(directory)

  function isInside(file: string): boolean {
    return grammar !== null && contains(directory, resolvePath(directory, file, grammar), grammar)
  }

  function isInsideForNode(file: string): boolean {
    const way = node.relative(directory, node.resolve(directory, file))
    return way.split(node.sep)[0] !== '..' && !node.isAbsolute(way)
  }

  it('are inside and absolute exactly as in Node, except with a drive inside the path', () => {
    const differing = [...paths()].filter(file => {
      const hasDriveInside = node === path.win32 && /.[a-z]:/i.test(file)
      const isAllowed = isInside(file) === isInsideForNode(file) || (hasDriveInside && !isInside(file))
      return !isAllowed || (grammar && isAbsolute(file, grammar)) !== node.isAbsolute(file)
    })
    expect(differing).toEqual([])
  })
})

it('isPlainRelative is true only if neither POSIX nor Windows paths lead up or to a root', () => {
  const differing = [...paths()].filter(file => {
    const isPlain = [path.posix, path.win32].every(
      node => node.parse(file).root === '' && node.normalize(file).split(node.sep)[0] !== '..',
    )
    // Node writes `..\C:` as `.\..\C:`, which leads up all the same.
    const leadsUp = /^\.\\\.\.(\\|$)/.test(path.win32.normalize(file))
    return isPlainRelative(file) !== (isPlain && !leadsUp)
  })
  expect(differing).toEqual([])
})
