import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { askerKey, askerParts, projectOf, shortSessions } from '../../src/rules/asker.ts'

const claude = (session: string | null, cwd = '/srv/shop', run: string | null = null) => ({
  agent: { name: 'claude-code', cwd, path: [] },
  session,
  run,
})

describe('shortSessions', () => {
  const shown = (...sessions: string[]) => sessions.map(shortSessions(sessions))

  it('shows the first four characters, and more where two sessions begin alike', () => {
    expect(shown('3f2a9c10-0001', '88aa0000-0002')).toEqual(['3f2a', '88aa'])
    expect(shown('3f2a9c10-0001', '3f2a9d10-0002', '88aa0000-0002')).toEqual(['3f2a9c', '3f2a9d', '88aa'])
    expect(shown('3f2a9c10-0001', '3f2a9c10-00011')).toEqual(['3f2a9c10-0001', '3f2a9c10-00011'])
  })

  it('shows a short name whole', () => {
    expect(shown('order-4711', 'order-4712')).toEqual(['order-4711', 'order-4712'])
  })

  it('shows the end of an id that begins with a clock', () => {
    expect(shown('01a1e2c5-c0c7-75b1-84c9-237346a20a2e', '01a1e2c5-c0c8-75b1-84c9-237346a2ffff')).toEqual([
      '0a2e',
      'ffff',
    ])
    expect(shown('ses_5e1d2f0c1ffeAbCdEfGh')).toEqual(['EfGh'])
  })

  it('shows the whole pid of a session that is known by its process', () => {
    expect(shown('21638:3729746', '21639:3729750')).toEqual(['21638', '21639'])
    expect(shown('21638:3729746', '21638:4829750')).toEqual(['21638:3', '21638:4'])
  })

  it('shows different sessions differently, in any script', () => {
    const name = fc.string({ minLength: 1, maxLength: 12, unit: 'grapheme' }).filter(text => !/^ses_|-7/.test(text))
    fc.assert(
      fc.property(fc.uniqueArray(name, { maxLength: 30 }), names => {
        expect(new Set(shown(...names)).size).toBe(names.length)
      }),
    )
  })
})

describe('an asker', () => {
  it('is a session wherever it works, an agent in a directory, or a run', () => {
    const keys = [
      claude('a'),
      claude('a', '/srv/shop/packages/api'),
      claude('b'),
      claude(null),
      claude(null, '/srv/other'),
      claude('a', '/srv/shop', 'run_1'),
    ].map(askerKey)
    expect(keys[0]).toBe(keys[1])
    expect(new Set(keys).size).toBe(5)
  })

  it('is named by its agent, its outermost directory and its session', () => {
    const requests = [claude('a', '/srv/shop/packages/api'), claude('a')]
    expect(askerParts(requests, null)).toEqual({ agent: 'claude-code', project: 'shop', session: 'a' })
    expect(askerParts([claude(null)], 'nightly')).toEqual({ agent: 'nightly', project: null, session: null })
  })

  it.each([
    ['/srv/shop', 'shop'],
    ['/srv/shop/', 'shop'],
    ['C:\\work\\shop', 'shop'],
    ['/', '/'],
  ])('calls the project of %s %s', (directory, project) => {
    expect(projectOf(directory)).toBe(project)
  })
})
