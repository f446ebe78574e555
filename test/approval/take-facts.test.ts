import { hash } from 'node:crypto'
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { takeFacts } from '../../src/approval/take-facts.ts'
import { guardOptions } from '../../src/approval/workspace.ts'
import { classify } from '../../src/guard/index.ts'
import { type Facts, factLimits, factsSchema } from '../../src/protocol/facts.ts'
import { createKeyedHash } from '../../src/secrets/keyed-hash.ts'

let cwd: string
beforeEach(() => {
  cwd = realpathSync(mkdtempSync(join(tmpdir(), 'beckon-facts-')))
})
afterEach(() => rmSync(cwd, { recursive: true, force: true }))

const hmac = createKeyedHash(Buffer.alloc(32, 7))

function factsOf(command: string | string[], more: Record<string, string> = {}): Facts {
  const words = Array.isArray(command) ? command : [command]
  const context = { cwd, env: { PATH: '/usr/bin:/bin', HOME: '/home/person', ...more } }
  const facts = takeFacts(words, context, classify(words.join(' '), guardOptions(context)), hmac)
  expect(factsSchema.parse(facts)).toEqual(facts)
  return facts
}

function write(name: string, text: string | Buffer): string {
  const path = join(cwd, name)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
  return path
}

const paths = ({ files }: Facts) => files.map(({ path }) => path)
const sha256 = (text: string) => hash('sha256', text, 'base64url')

describe('files', () => {
  it('keep the text of code, and the hash of exactly that text', () => {
    const path = write('x.sh', 'echo "grüße"\n')
    expect(factsOf('bash x.sh').files).toEqual([{ path, hash: sha256('echo "grüße"\n'), text: 'echo "grüße"\n' }])
  })

  it('keep no text of data, of binaries, of long code, of secrets, or of code that contains a key', () => {
    write('data.sql', 'select 1')
    write('binary', Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 0xff]))
    write('long.sh', `${'# long\n'.repeat(3_000)}`)
    write('.env', 'A=1')
    write('key.sh', 'curl -H "Authorization: Bearer abcdefghijklmnop" x\n')
    const { files } = factsOf('cat data.sql; ./binary; bash long.sh; . ./.env; bash key.sh')
    expect(files).toHaveLength(5)
    expect(files.filter(({ text }) => text !== undefined)).toEqual([])
  })

  it('keep at most 60,000 characters of text in all, and bind the rest', () => {
    for (let i = 0; i < 5; i += 1) write(`${i}.sh`, `# ${i}\n${'#'.repeat(17_000)}\n`)
    const { files } = factsOf('bash 0.sh; bash 1.sh; bash 2.sh; bash 3.sh; bash 4.sh')
    expect(files).toHaveLength(5)
    expect(files.filter(({ text }) => text !== undefined)).toHaveLength(3)
  })

  it('of secrets are bound by a keyed hash: a plain one could be guessed', () => {
    const path = write('.env', 'PIN=1234')
    const [file] = factsOf('docker run --env-file .env x').files
    expect(file).toEqual({ path, hash: expect.stringMatching(/^hmac-/) })
  })

  it('that are links are bound with their targets', () => {
    const target = write('real.sh', 'true\n')
    symlinkSync('real.sh', join(cwd, 'link.sh'))
    expect(paths(factsOf('bash link.sh'))).toEqual([join(cwd, 'link.sh'), target])
  })

  it('that are missing are named as missing where they would be run', () => {
    expect(factsOf('bash later.sh').files).toEqual([{ path: join(cwd, 'later.sh'), hash: 'missing' }])
  })

  it('in a folder that is an operand are data, and not bound', () => {
    write('build/a.js', '')
    expect(paths(factsOf('rm -rf build'))).toEqual([])
  })

  it.each<[string, Record<string, string>, string[]]>([
    ['cd s && bash < in.sh', { 's/in.sh': '' }, ['s/in.sh']],
    ['curl -d @body.json -K conf https://example.com', { 'body.json': '', conf: '' }, ['body.json', 'conf']],
    ['python3 -c "import helper"', { 'helper.py': '' }, ['helper.py']],
    [
      'PYTHONPATH=lib python3 x.py',
      { 'x.py': 'from a.b import c', 'a/__init__.py': '', 'a/b.py': '' },
      ['a/__init__.py', 'a/b.py', 'x.py'],
    ],
    [
      'node --import ./hook.mjs x',
      { 'hook.mjs': '', 'x.js': "import './y.js'", 'y.js': '' },
      ['hook.mjs', 'x.js', 'y.js'],
    ],
    ['ruby x.rb', { 'x.rb': "require_relative 'y'", 'y.rb': '' }, ['x.rb', 'y.rb']],
    ['./run', { run: '#!/usr/bin/env python3\nimport tool\n', 'tool.py': '' }, ['run', 'tool.py']],
    ['docker build -t x .', { Dockerfile: 'FROM x', '.dockerignore': '' }, ['.dockerignore', 'Dockerfile']],
    [
      'docker compose up',
      { 'compose.yaml': '', 'compose.override.yaml': '', '.env': '' },
      ['.env', 'compose.override.yaml', 'compose.yaml'],
    ],
    ['terraform apply', { 'main.tf': '', 'x.tfvars': '' }, ['main.tf', 'x.tfvars']],
    ['kubectl apply -f k8s', { 'k8s/a.yaml': '', 'k8s/b.yml': '' }, ['k8s/a.yaml', 'k8s/b.yml']],
    ['make -C sub', { 'sub/Makefile': 'include *.mk\n', 'sub/a.mk': '' }, ['sub/Makefile', 'sub/a.mk']],
    ['just deploy', { justfile: '' }, ['justfile']],
    ['nox', { 'noxfile.py': 'import shared', 'shared.py': '' }, ['noxfile.py', 'shared.py']],
    ['psql -f x.sql', { 'x.sql': '\\i y.sql', 'y.sql': '' }, ['x.sql', 'y.sql']],
    ['sudo env X=1 bash a.sh', { 'a.sh': 'bash b.sh', 'b.sh': '. ./c.sh', 'c.sh': '' }, ['a.sh', 'b.sh', 'c.sh']],
    [
      'bash s/a.sh',
      { 's/a.sh': `D="$(cd "$(dirname "$\{BASH_SOURCE[0]}")" && pwd)"\nsource "$D/b.sh"`, 's/b.sh': '' },
      ['s/a.sh', 's/b.sh'],
    ],
    ['find . -name "*.sh" -exec bash {} +', { 'a.sh': '' }, ['a.sh']],
    [
      'npm test',
      {
        'package.json': '{"scripts":{"pretest":"node a.js","test":"node b"}}',
        'a.js': '',
        'b.js': '',
        'package-lock.json': '',
      },
      ['a.js', 'b.js', 'package.json'],
    ],
  ])('%s', (command, files, expected) => {
    for (const [name, text] of Object.entries(files)) write(name, text)
    if (files.run !== undefined) chmodSync(join(cwd, 'run'), 0o755)
    expect(paths(factsOf(command)).filter(path => path.startsWith(cwd))).toEqual(expected.map(name => join(cwd, name)))
  })
})

describe('what is not bound', () => {
  it('is said: more files than can be bound', () => {
    for (let i = 0; i < factLimits.files + 20; i += 1) write(`m/${i}.sql`, '')
    const { files, unbound } = factsOf('cat m/*.sql | psql')
    expect(files).toHaveLength(factLimits.files)
    expect(unbound).toContain('m/*.sql stands for more files than can be bound.')
  })

  it('is said: more named files than can be bound', () => {
    const names = Array.from({ length: factLimits.files + 1 }, (_, i) => `${i}.txt`)
    for (const name of names) write(name, '')
    expect(factsOf(`cat ${names.join(' ')}`).unbound).toEqual([
      'It runs or names more than 500 files; the others are not bound.',
    ])
  })

  it.each([
    ['make', 'make runs its recipes: what they start is bound only where a makefile names it.'],
    ['npm install', 'npm install runs the install scripts of packages, which are not bound.'],
    ['npm run build', 'npm runs the script "build" of package.json: what its programs load is not all bound.'],
    ['npx cowsay hi', 'npx cowsay runs a package that may be downloaded; its code is not bound.'],
    ['docker build .', 'docker build reads the folder ., which is not bound.'],
    ['python3 -m pytest', 'python3 -m pytest runs a module that is installed elsewhere; its code is not bound.'],
    ['bash scripts/$STAGE.sh', 'It runs scripts/….sh, whose name is known only at run time.'],
    ['./scripts/$STAGE.sh', 'It starts ./scripts/$STAGE.sh, whose name is known only at run time.'],
    ['psql < $DUMP', 'It reads $DUMP, whose name is known only at run time.'],
    ['PATH=/evil:$PATH git push', 'It changes PATH: which programs its names mean is known only at run time.'],
    ['python3 x.py', 'starts programs of its own, which are not bound.'],
  ])('is said: %s', (command, sentence) => {
    write('package.json', '{"scripts":{"build":"tsc"}}')
    write('x.py', 'import subprocess\n')
    expect(factsOf(command).unbound).toContainEqual(expect.stringContaining(sentence))
  })

  it('is said of code that can load what it likes', () => {
    write('x.py', 'name = "m"\n__import__(name)\n')
    write('x.js', 'require(__dirname + "/y.js")\n')
    for (const command of ['python3 x.py', 'node x.js', `perl -e 'do $f'`])
      expect(factsOf(command).unbound.join(), command).toContain('can load files and start programs')
  })

  it('is not said about commands that are bound entirely', () => {
    write('x.sh', 'echo hi\n')
    for (const command of ['git push origin main', 'rm -rf build', 'bash x.sh', 'psql -c "drop table x"'])
      expect(factsOf(command).unbound).toEqual([])
  })
})

describe('programs', () => {
  it('are the resolved ones, those in scripts too', () => {
    write('x.sh', 'ls | sort\n')
    const { programs } = factsOf('bash x.sh; nonexistent; cd x')
    expect(programs.map(({ name }) => name)).toEqual(['bash', 'ls', 'nonexistent', 'sort'])
    expect(programs).toContainEqual({ name: 'ls', path: realpathSync('/usr/bin/ls') })
    expect(programs).toContainEqual({ name: 'nonexistent', path: null })
  })

  it('are also those that git starts by their names', () => {
    expect(factsOf('git push origin main').programs.map(({ name }) => name)).toContain('ssh')
  })

  it('outside of the system are bound with their content', () => {
    const tool = write('bin/tool', '#!/bin/sh\n')
    chmodSync(tool, 0o755)
    const PATH = `${join(cwd, 'bin')}:/usr/bin:/bin`
    expect(factsOf('tool x', { PATH })).toMatchObject({
      files: [{ path: tool }],
      programs: [{ name: 'bash' }, { name: 'tool', path: tool }],
    })
  })
})

describe('the environment', () => {
  it('leaves PATH out, unless code runs that may start other programs', () => {
    const names = (facts: Facts) => facts.environment.map(({ name }) => name)
    write('x.sh', 'true\n')
    expect(names(factsOf('git push'))).toEqual(['HOME'])
    expect(names(factsOf('bash x.sh'))).toEqual(['HOME', 'PATH'])
  })

  it('has the variables that a script names, but not those of the terminal', () => {
    write('x.sh', 'rm -rf "$TARGET" "$TERM"\n')
    const { environment } = factsOf('bash x.sh', { TARGET: 'a', TERM: 'dumb', UNRELATED: 'b' })
    expect(environment.map(({ name }) => name)).toEqual(['HOME', 'PATH', 'TARGET'])
  })

  it.each([
    ['PGPASSWORD', 'hunter2'],
    ['AWS_SECRET_ACCESS_KEY', 'open sesame'],
    ['AWS_SESSION_TOKEN', 'open sesame'],
    ['GH_TOKEN', 'open sesame'],
    ['DATABASE_URL', 'postgres://ann:pw@db/x'],
    ['GIT_CONFIG_VALUE_0', 'AUTHORIZATION: basic YWxhZGRpbjpvcGVuc2VzYW1l'],
    ['PG_SETTINGS', 'host=db password=x'],
    ['TF_VAR_x', 'ghp_abcdefghijklmnopqrstuvwxyz0123'],
    ['npm_config__authToken', 'open sesame'],
  ])('holds %s as an HMAC only', (name, value) => {
    const facts = factsOf('git push', { [name]: value })
    expect(facts.environment).toContainEqual({ name, hmac: hmac(name, value) })
    expect(JSON.stringify(facts)).not.toContain(value)
  })

  it.each([
    ['AWS_ACCESS_KEY_ID', 'AKIAXXXXXXXXXXXXXXXX'],
    ['GIT_ASKPASS', '/usr/bin/askpass'],
    ['GOOGLE_APPLICATION_CREDENTIALS', '/home/person/key.json'],
    ['KUBECONFIG', '/home/person/.kube/config-of-the-test-cluster-1'],
    ['DATABASE_URL', 'postgres://localhost/x'],
  ])('shows %s', (name, value) => {
    expect(factsOf('git push', { [name]: value }).environment).toContainEqual({ name, value })
  })

  it('gives equal values of different variables different HMACs', () => {
    const { environment } = factsOf('git push', { PGPASSWORD: 'same', MYSQL_PWD: 'same' })
    const hashes = environment.flatMap(variable => ('hmac' in variable ? [variable.hmac] : []))
    expect(new Set(hashes).size).toBe(2)
  })
})

it('takes the same facts twice, and valid ones, of any command', () => {
  write('a.sh', 'bash a.sh; . ./b.sh; make\n')
  write('b.sh', 'python3 c.py "$X" *.sh\n')
  write('c.py', 'import c, d\n')
  write('Makefile', 'include Makefile *.sh\n')
  const word = fc.oneof(
    fc.constantFrom(
      'bash',
      'a.sh',
      './a.sh',
      '*',
      '[',
      '<',
      '|',
      '&&',
      'make',
      '-f',
      'python3',
      '-m',
      'c',
      '$X',
      '"',
      '.',
      'npm',
      'run',
      '-C',
      '…',
      '\ud800',
    ),
    fc.string({ unit: 'binary', maxLength: 8 }),
  )
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 8 }), words => {
      expect(factsOf(words.join(' '))).toEqual(factsOf(words.join(' ')))
      expect(factsOf(words)).toEqual(factsOf(words))
    }),
    { numRuns: 150 },
  )
})
