import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, posix, win32 } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dependencyTypes } from '../../src/protocol/status.ts'
import { type FileKind, validateDependencyValue } from '../../src/rules/dependency-value.ts'

const jwt = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U'

describe('validateDependencyValue, with the tests of the specification,', () => {
  it('should validate API key', () => {
    const result = validateDependencyValue('api_key', 'sk-1234567890abcdef')
    expect(result.valid).toBe(true)
  })

  it('should reject short API key', () => {
    const result = validateDependencyValue('api_key', 'short')
    expect(result.valid).toBe(false)
    expect(result.error).toContain('too short')
  })

  it('should validate service URL', () => {
    const result = validateDependencyValue('service', 'https://api.example.com')
    expect(result.valid).toBe(true)
  })

  it('should reject non-HTTP URL', () => {
    const result = validateDependencyValue('service', 'ftp://example.com')
    expect(result.valid).toBe(false)
  })

  it('should reject path traversal', () => {
    const result = validateDependencyValue('file', '../../../etc/passwd')
    expect(result.valid).toBe(false)
    expect(result.error).toContain('traversal')
  })
})

describe('validateDependencyValue', () => {
  it.each(dependencyTypes)('refuses an empty %s', type => {
    for (const value of ['', ' ', '\n\t', '\u00a0']) {
      expect(validateDependencyValue(type, value)).toEqual({ valid: false, error: 'Value cannot be empty' })
    }
  })

  it.each(dependencyTypes)('refuses a %s with a NUL byte or a lone surrogate', type => {
    expect(validateDependencyValue(type, 'long\0enough').error).toContain('NUL')
    expect(validateDependencyValue(type, 'long\ud800enough').error).toContain('surrogate')
  })

  it.each(['token', '', '__proto__', 'constructor'])('refuses the unknown type %j', type => {
    expect(validateDependencyValue(type, 'x')).toEqual({ valid: false, error: `Unknown dependency type: ${type}` })
  })

  it.each(dependencyTypes)('never throws for a %s, and returns a value, a decline or an error', type => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.string(), fc.webUrl()), value => {
        const result = validateDependencyValue(type, value, { directory: '/work/app' })
        expect([result.value, result.declines, result.error].filter(part => part !== undefined)).toHaveLength(1)
        expect(result.valid).toBe(result.error === undefined)
      }),
    )
  })

  it.each(['api_key', 'service', 'env_variable'])('never repeats a refused %s', type => {
    const canary = 'c4n4ry'
    for (const value of [`${canary}`, `${canary}:pw@host`, `${canary}://u:${canary}@host`, `http://${canary}:x y@h`]) {
      expect(validateDependencyValue(type, value).error ?? '').not.toContain(canary)
    }
    expect(validateDependencyValue(type, canary.repeat(10_000)).error).not.toContain(canary)
  })
})

describe('api_key', () => {
  it.each([
    ['a JWT', jwt],
    ['an AWS secret', 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY='],
    ['a key with a colon', '123456:ABC-DEF1234ghIkl~zyx'],
    ['eight characters', 'abcd1234'],
  ])('accepts %s', (_, key) => expect(validateDependencyValue('api_key', key)).toEqual({ valid: true, value: key }))

  it('ignores spaces and newlines around a pasted key', () => {
    expect(validateDependencyValue('api_key', `  ${jwt}\n`)).toEqual({ valid: true, value: jwt })
  })

  it.each(['sk-1234 5678', 'sk-1234\n5678', 'sk-1234\u001b[31m', 'sk-1234-한글-키'])('refuses %j', key => {
    expect(validateDependencyValue('api_key', key).error).toContain('Invalid API key format')
  })

  it('counts the length without the spaces around the key', () => {
    expect(validateDependencyValue('api_key', '  short    ').error).toBe('API key too short')
    expect(validateDependencyValue('api_key', 'k'.repeat(10_000)).valid).toBe(true)
    expect(validateDependencyValue('api_key', 'k'.repeat(10_001)).error).toBe('API key too long')
  })
})

describe('password', () => {
  it('is taken as it is, with its spaces, on one line', () => {
    expect(validateDependencyValue('password', ' a b ')).toEqual({ valid: true, value: ' a b ' })
    expect(validateDependencyValue('password', 'x')).toEqual({ valid: true, value: 'x' })
    for (const value of ['a\nb', 'a\r', 'x'.repeat(1_001)]) {
      expect(validateDependencyValue('password', value).valid).toBe(false)
    }
  })
})

describe('env_variable', () => {
  it.each([' kept as it is \n', 'several\nlines', '값', '=', '\u001b'])('accepts %j unchanged', value => {
    expect(validateDependencyValue('env_variable', value)).toEqual({ valid: true, value })
  })

  it('accepts at most 10,000 characters', () => {
    expect(validateDependencyValue('env_variable', 'x'.repeat(10_000)).valid).toBe(true)
    expect(validateDependencyValue('env_variable', 'x'.repeat(10_001)).error).toBe('Environment variable too long')
  })
})

describe('service', () => {
  it.each([
    'http://localhost:3000',
    'HTTPS://API.example.com/v1?x=1#y',
    'wss://example.com/socket',
    'redis://localhost:6379',
    'rediss://:p%40ss@cache.example.com:6380/0',
    'postgres://user:pass@db.example.com/app?sslmode=require',
    'postgresql+asyncpg://user:pass@db/app',
    'postgres://a:5432,b:5432/app?target_session_attrs=any',
    'mysql://root@127.0.0.1:3306/app',
    'mongodb://a:1,b:2/db',
    'mongodb://user:p,w@[::1]:27017,b.example.com:27018,c/db?replicaSet=rs0',
    'mongodb+srv://user:pass@cluster0.example.net/db',
    'sqlserver://localhost:1433;database=app;user=sa;password=p/w@1',
    'amqps://user:pass@rabbit/vhost',
    'nats://demo.nats.io',
    'mqtt://broker:1883',
    'kafka://k1:9092,k2:9092',
    's3://bucket/prefix',
    'neo4j+s://graph.example.com',
    'http://[::1]:8080/',
    'https://예시.한국/',
  ])('accepts %s', url => expect(validateDependencyValue('service', url)).toEqual({ valid: true, value: url }))

  it('ignores spaces around a pasted URL', () => {
    expect(validateDependencyValue('service', ' https://a.example \n')).toEqual({
      valid: true,
      value: 'https://a.example',
    })
  })

  it.each([
    'ftp://example.com',
    'file:///etc/passwd',
    'javascript://%0aalert(1)',
    'data://x',
    'http+unix://x',
    'git+ssh://h',
  ])('refuses the scheme of %s', url => expect(validateDependencyValue('service', url).error).toContain('scheme'))

  it.each([
    'localhost:3000',
    'example.com',
    'javascript:alert(1)',
    'data:text/html,x',
    'http:example.com',
    'http://',
    'http:///path',
    'redis://',
    'redis://:6379',
    'redis://user@/0',
    'postgres:///db',
    'mongodb://a:1,,b:2/db',
    'mongodb://a:1,b:99999/db',
    'http://a,b:80,c:80/',
    'http://a b/',
    'http://exa\nmple.com/',
    'http://exa\tmple.com/',
    'http://example.com:port/',
  ])('refuses %j', url => expect(validateDependencyValue('service', url).error).toContain('Invalid URL format'))
})

describe('permission', () => {
  it.each(['yes', 'true', 'y', ' YES\n', 'True'])('accepts %j as a yes', value => {
    expect(validateDependencyValue('permission', value)).toEqual({ valid: true, value: 'yes' })
  })

  it.each(['no', 'false', 'n', ' No ', 'FALSE'])('accepts %j as a decline without a value', value => {
    expect(validateDependencyValue('permission', value)).toEqual({ valid: true, declines: true })
  })

  it.each(['maybe', 'ok', '1', 'yes please', 'yesno'])('refuses %j', value => {
    const error = 'Permission must be true/false or yes/no'
    expect(validateDependencyValue('permission', value)).toEqual({ valid: false, error })
  })
})

describe('package', () => {
  it.each([
    'socket.io',
    'react@18',
    'react@18.2.0-rc.1+build.5',
    '@scope/name',
    '@scope/name@^1.2.0',
    'left-pad@latest',
    'typescript@next-2',
    'lodash@>=4 <5',
    'lodash@>= 4.1.x < 5 || ~6.0',
    'lodash@1.2.3 - 2.0',
    'lodash@*',
    'events',
    'buffer@6',
  ])('accepts %s', value => expect(validateDependencyValue('package', value)).toEqual({ valid: true, value }))

  it.each([
    'Foo',
    '../x',
    './x',
    '/etc/x',
    '~/x',
    'user/repo',
    'react@file:../x',
    'react@git+ssh://git@github.com/a/b.git',
    'react@https://evil.example/x.tgz',
    'react@npm:other@1',
    'react@user/repo',
    'react@..',
    'react@x.tgz',
    'package.tgz',
    'package.tar.gz@1',
    'react@',
    'react@@1',
    'react@1 --registry=x',
    'react@-g',
    'react@1 - 2 - 3',
    'react@||',
    'react vue',
    'react\nvue',
    '--save',
    '-g',
    '.hidden',
    '_x',
    'node_modules',
    '@scope',
    '@scope/',
    '@/x',
    '@../x',
    '@scope/../x',
    'a'.repeat(215),
  ])('refuses %s', value => {
    expect(validateDependencyValue('package', value)).toEqual({ valid: false, error: 'Invalid package name format' })
  })
})

describe('file, without looking at the disk,', () => {
  const location = { directory: '/work/app' }

  it.each(['notes..v2.txt', 'a/../b', 'a/./b', '..hidden/x', '...', '.', './x', 'src/한글.txt', 'a b', '~backup'])(
    'accepts %j with and without a directory',
    file => {
      expect(validateDependencyValue('file', file)).toEqual({ valid: true, value: file })
      expect(validateDependencyValue('file', file, location)).toEqual({ valid: true, value: file })
    },
  )

  it.each([
    '..',
    '../x',
    'a/../../x',
    './../x',
    '/etc/passwd',
    '/work',
    '/work/app-old/x',
    '../app-old/x',
    '/work/app/../x',
  ])('refuses %j with and without a directory', file => {
    expect(validateDependencyValue('file', file).error).toContain('traversal')
    expect(validateDependencyValue('file', file, location).error).toContain('traversal')
  })

  it('accepts an absolute path only inside the directory', () => {
    expect(validateDependencyValue('file', '/work/app/config.json', location).valid).toBe(true)
    expect(validateDependencyValue('file', '/work/app/../app/config.json', location).valid).toBe(true)
    expect(validateDependencyValue('file', '/work/app/config.json').valid).toBe(false)
    expect(validateDependencyValue('file', '/any/where', { directory: '/' }).valid).toBe(true)
  })

  it('accepts any path if the request allows files outside', () => {
    const outside = { ...location, outside: true }
    expect(validateDependencyValue('file', '/etc/hosts', outside)).toEqual({ valid: true, value: '/etc/hosts' })
    expect(validateDependencyValue('file', ' ../x\n', outside)).toEqual({ valid: true, value: '../x' })
  })

  it('reports that ~ is not expanded, even if files outside are allowed', () => {
    for (const file of ['~', '~/x', '~\\x']) {
      expect(validateDependencyValue('file', file, { ...location, outside: true }).error).toContain('full path')
    }
  })

  it('accepts at most 500 characters', () => {
    expect(validateDependencyValue('file', 'x'.repeat(500)).valid).toBe(true)
    expect(validateDependencyValue('file', 'x'.repeat(501)).error).toBe('File path too long')
  })

  it.each(['..\\x', 'a\\..\\..\\x', 'C:\\Windows', 'C:x', '\\\\host\\share', '\\x'])(
    'refuses %j as a possible Windows path',
    file => {
      expect(validateDependencyValue('file', file).error).toContain('traversal')
      expect(validateDependencyValue('file', file, { directory: 'D:\\work\\app' }).error).toContain('traversal')
    },
  )

  it('reads Windows paths if the directory is a Windows path', () => {
    const windows = { directory: 'C:\\work\\app' }
    expect(validateDependencyValue('file', 'a\\b/c.txt', windows).valid).toBe(true)
    expect(validateDependencyValue('file', 'c:\\WORK\\app\\x', windows).valid).toBe(true)
    expect(validateDependencyValue('file', 'C:\\work\\app-old\\x', windows).valid).toBe(false)
  })

  it.each(['', 'relative/dir', '.'])('ignores the directory %j', directory => {
    expect(validateDependencyValue('file', 'a/b', { directory }).valid).toBe(true)
    expect(validateDependencyValue('file', '/a/b', { directory }).valid).toBe(false)
  })

  it('accepts no path that leaves the directory', () => {
    const step = fc.oneof(fc.constantFrom('..', '.', '', 'app', 'work', 'C:', '~'), fc.string({ maxLength: 3 }))
    const paths = fc.array(fc.tuple(step, fc.constantFrom('/', '\\'))).map(steps => steps.flat().join(''))
    fc.assert(
      fc.property(paths, fc.constantFrom('/work/app', 'C:\\work\\app'), (file, directory) => {
        const { value } = validateDependencyValue('file', file, { directory })
        if (value === undefined) return
        const grammar = directory.startsWith('/') ? posix : win32
        const target = grammar.resolve(directory, value).toLowerCase()
        expect(`${target}${grammar.sep}`.startsWith(`${directory.toLowerCase()}${grammar.sep}`)).toBe(true)
      }),
      { numRuns: 2_000 },
    )
  })
})

describe('file, with links on the disk,', () => {
  let root = ''
  const realpath = (path: string): string | null => {
    try {
      return realpathSync(path)
    } catch {
      return null
    }
  }
  const check = (file: string, directory = 'app') =>
    validateDependencyValue('file', file, { directory: join(root, directory), realpath }).valid

  beforeAll(() => {
    root = realpathSync(mkdtempSync(join(tmpdir(), 'beckon-file-')))
    for (const folder of ['app/src', 'app-old', 'elsewhere/deep']) mkdirSync(join(root, folder), { recursive: true })
    writeFileSync(join(root, 'elsewhere/secret'), '')
    symlinkSync(join(root, 'elsewhere'), join(root, 'app/out'))
    symlinkSync(join(root, 'elsewhere/deep'), join(root, 'app/deep'))
    symlinkSync(join(root, 'app-old'), join(root, 'app/sibling'))
    symlinkSync(join(root, 'elsewhere/secret'), join(root, 'app/secret'))
    symlinkSync('src', join(root, 'app/in'))
    symlinkSync(join(root, 'app'), join(root, 'alias'))
  })
  afterAll(() => rmSync(root, { recursive: true, force: true }))

  it.each(['src', 'src/new.txt', 'new/deeper/x', 'in/new.txt', 'in/../x', 'out/../app/x'])('accepts %s', file => {
    expect(check(file)).toBe(true)
  })

  it.each(['out', 'out/secret', 'out/new/x', 'secret', 'sibling/x', 'out/../x', 'deep/../secret', 'in/../../x'])(
    'refuses %s',
    file => expect(check(file)).toBe(false),
  )

  it('recognizes the directory by its real path and by a link', () => {
    expect(check('src/x', 'alias')).toBe(true)
    expect(check(join(root, 'alias/src/x'), 'alias')).toBe(true)
    expect(check(join(root, 'app/src/x'), 'alias')).toBe(true)
    expect(check(join(root, 'app/out/secret'), 'alias')).toBe(false)
    expect(check(join(root, 'app-old/x'), 'alias')).toBe(false)
  })

  it('refuses a link to a missing file outside', () => {
    const target = '/elsewhere/not-yet'
    const follows = (path: string) => (path === '/work/app/dangling' ? target : path === '/work/app' ? path : null)
    const location = { directory: '/work/app', realpath: follows }
    expect(validateDependencyValue('file', 'dangling', location).valid).toBe(false)
    expect(validateDependencyValue('file', 'not-there', location).valid).toBe(true)
  })

  it('accepts any relative path in a missing directory', () => {
    expect(check('x/y', 'gone')).toBe(true)
    expect(check('../x', 'gone')).toBe(false)
  })

  it('accepts only a file that exists, where files can be seen', () => {
    const kinds: Record<string, FileKind> = { 'a.txt': 'file', src: 'folder', pipe: 'other', 'theirs/x': 'hidden' }
    const kindOf = (path: string) => kinds[path.replace('/work/app/', '')] ?? null
    for (const more of [{}, { outside: true }]) {
      const see = (file: string) => validateDependencyValue('file', file, { directory: '/work/app', kindOf, ...more })
      expect(see('a.txt')).toEqual({ valid: true, value: 'a.txt' })
      expect(see('/work/app/a.txt').valid).toBe(true)
      expect(see('theirs/x').valid).toBe(true)
      expect(see('nowhere.txt').error).toMatch(/no such file \(paths are relative to \/work\/app\).*upload/)
      expect(see('src').error).toContain('folder')
      expect(see('pipe').error).toContain('not a regular file')
    }
  })

  it('accepts only an upload that exists', () => {
    const kindOf = (path: string) => (path === '/home/files/req_1/a' ? 'file' : null)
    const location = { directory: '/work/app', uploads: '/home/files/req_1', kindOf }
    expect(validateDependencyValue('file', '/home/files/req_1/a', location).valid).toBe(true)
    expect(validateDependencyValue('file', '/home/files/req_1/b', location).error).toContain('no such file')
  })
})
