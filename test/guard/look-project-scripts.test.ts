import { describe, expect, it } from 'vitest'
import { look, messages } from './look-in-project.ts'

const reset = 'discards all uncommitted changes'
const push = 'overwrites history that others have'

describe('scripts of package.json', () => {
  const scripts = {
    pretest: 'rm -rf coverage',
    test: 'vitest run',
    posttest: 'git reset --hard',
    build: 'tsc && vite build',
    clean: 'rimraf dist && rm -rf node_modules/.cache',
    ship: 'npm run build && bash scripts/ship.sh',
    remove: 'rm -rf',
    loop: 'npm run loop',
    prepare: 'git push --force',
  }
  const files = {
    'package.json': JSON.stringify({ name: 'test', scripts }, null, 2),
    'scripts/ship.sh': 'git push --force\n',
    'packages/a/package.json': '{\n  "scripts": { "build": "git reset --hard" }\n}',
    'packages/a/src/x.ts': '',
  }

  it.each([
    'npm test',
    'npm t',
    'npm run test',
    'npm run-script test -- --bail',
    'pnpm test',
    'yarn test',
    'bun run test',
    'npm --silent test',
    'cd src && npm test',
    'npx -c "npm test"',
  ])('are judged with those before and after them: %s', command => {
    expect(messages(files, command)).toEqual([`package.json line 6 ${reset}`])
  })

  it.each([
    'npm run build',
    'yarn build',
    'pnpm build',
    'npm run clean',
    'npm run loop',
    'npm run',
    'npm run missing',
    'npm ls',
    'npm outdated',
  ])('stay allowed if they are harmless or not there: %s', command => {
    expect(look(files, command).verdict).toBe('allow')
  })

  it.each(['npm install', 'npm ci', 'npm i left-pad', 'pnpm install', 'yarn', 'yarn install', 'npm pack'])(
    'run by themselves: %s',
    command => {
      expect(messages(files, command)).toEqual([`package.json line 12 ${push}`])
    },
  )

  it('may run scripts in files', () => {
    expect(look(files, 'npm run ship').reasons).toEqual([
      {
        rule: 'git/push-force',
        message: `scripts/ship.sh line 1 ${push}`,
        span: [0, 12],
        file: 'scripts/ship.sh',
        line: 1,
      },
    ])
  })

  it('get the arguments after --', () => {
    expect(messages(files, 'npm run remove -- dist')).toEqual([])
    expect(messages(files, 'npm run remove -- ~/Documents')).toEqual([
      'package.json line 10 deletes files outside the workspace',
    ])
  })

  it('are those of the nearest folder, or of the one that is named', () => {
    for (const command of [
      'cd packages/a/src && npm run build',
      'npm --prefix packages/a run build',
      'pnpm -C packages/a build',
      'npm run build -w packages/a',
      'yarn --cwd packages/a build',
      'yarn workspace @me/a build',
      'pnpm --filter @me/a build',
      'npm run build --workspace=a',
    ])
      expect(messages(files, command), command).toEqual([`packages/a/package.json line 2 ${reset}`])
  })

  it('of a package that is not found stay unknown', () => {
    expect(look(files, 'npm test -w other').verdict).toBe('allow')
  })

  it('are none if the file cannot be read', () => {
    for (const text of ['', '{', '[]', 'null', '{"scripts": 5}', '{"scripts": {"x": 5}}', '{"scripts": null}'])
      expect(look({ 'package.json': text }, 'npm run x').verdict, text).toBe('allow')
  })

  it('have siblings in deno.json and composer.json', () => {
    expect(messages({ 'deno.json': '{"tasks": {"x": {"command": "git push --force"}}}' }, 'deno task x')).toEqual([
      `deno.json line 1 ${push}`,
    ])
    expect(messages({ 'composer.json': '{"scripts": {"x": ["@php a", "git push --force"]}}' }, 'composer x')).toEqual([
      `composer.json line 1 ${push}`,
    ])
  })
})

describe('targets of a makefile', () => {
  const makefile = [
    'include config.mk', // 1
    'BUILD ?= build',
    'OUT = $(BUILD)/out',
    'SRC := $(shell find . -name "*.c")',
    'ROOT := $(dir $(abspath $(lastword $(MAKEFILE_LIST))))', // 5
    '',
    '.PHONY: all clean',
    'all: $(OUT)/app',
    '',
    '$(OUT)/app: prepare $(SRC)', // 10
    '\t$(CC) -o $@ $^ $(LDFLAGS)',
    'prepare:',
    '\t@mkdir -p $(OUT)',
    'clean:',
    '\t-rm -rf $(BUILD) $(ROOT)dist', // 15
    'distclean: clean',
    '\trm -rf \\',
    '\t  $(HOME)/Documents',
    'ship: all',
    '\t+$(MAKE) push REMOTE=origin', // 20
    'push: ; git push --force $(REMOTE)',
    'a: b',
    '\techo $$HOME',
    'b: a',
    '\techo b',
    'wipe:',
    '\trm -rf $(DIR)/',
    'evil: X := $(shell git push --force)',
    'evil:',
    '\techo $(X)', // 30
    'ifeq ($(OS),Windows_NT)',
    'cond:',
    '\tdel x',
    'endif',
  ].join('\n')
  const files = { Makefile: makefile, 'config.mk': 'LDFLAGS = -lm\nfrom-include:\n\tgit push --force\n' }

  it.each([
    'make',
    'make all',
    'make clean',
    'make -j4 all',
    'make a',
    'make missing',
    'make -n ship',
    'make wipe DIR=build',
    'make cond',
  ])('stay allowed if they are harmless: %s', command => {
    expect(messages(files, command)).toEqual([])
  })

  it.each([
    ['make distclean', 'Makefile line 17 deletes files outside the workspace'],
    ['make ship', `Makefile line 21 ${push}`],
    ['make -C . push', `Makefile line 21 ${push}`],
    ['make -fMakefile push', `Makefile line 21 ${push}`],
    ['make -sC. push', `Makefile line 21 ${push}`],
    ['make --directory=. push', `Makefile line 21 ${push}`],
    ['make -f Makefile push', `Makefile line 21 ${push}`],
    ['cd x && make -C .. push', `Makefile line 21 ${push}`],
    ['gmake push', `Makefile line 21 ${push}`],
    ['make clean BUILD=/etc', 'Makefile line 15 deletes system files'],
    ['make wipe DIR=~', 'Makefile line 27 deletes your home folder'],
    ['make evil', `Makefile line 30 ${push}`],
    ['make from-include', `config.mk line 3 ${push}`],
    [
      'make wipe',
      'Makefile line 27 deletes folders whose names are known only at run time; an empty variable can widen it to everything',
    ],
  ])('are judged with their prerequisites: %s', (command, message) => {
    expect(messages(files, command)).toEqual([message])
  })

  it('run what make evaluates while it reads the file', () => {
    expect(messages({ Makefile: 'X := $(shell git push --force)\nall:\n\techo\n' }, 'make')).toEqual([
      `Makefile line 1 ${push}`,
    ])
  })

  it('share a shell where the makefile says so', () => {
    const recipe = 'x:\n\tcd build\n\trm -rf *\n'
    expect(messages({ Makefile: `.ONESHELL:\n${recipe}` }, 'make x')).toEqual([])
    expect(messages({ Makefile: recipe }, 'make x')).toEqual(['Makefile line 3 deletes the whole workspace'])
  })
})

describe('recipes of a justfile', () => {
  const justfile = [
    'set dotenv-load',
    'out := "dist"',
    'alias b := build',
    'default: build',
    'build mode=\'debug\': clean (note "x")', // 5
    '    cargo build --{{mode}}',
    'note text:',
    '    @echo {{text}}',
    'clean:',
    '    rm -rf {{out}} {{justfile_directory()}}/target', // 10
    'wipe dir:',
    '    rm -rf {{dir}}',
    'push: build',
    '    git push --force',
    'script:', // 15
    '    #!/usr/bin/env python3',
    '    import shutil',
    '    shutil.rmtree("/etc")',
  ].join('\n')

  it.each(['just', 'just build', 'just b release', 'just wipe dist', 'just --list', 'just -n push'])(
    'stay allowed if they are harmless: %s',
    command => {
      expect(messages({ justfile }, command)).toEqual([])
    },
  )

  it.each([
    ['just push', `justfile line 14 ${push}`],
    ['cd src && just push', `justfile line 14 ${push}`],
    ['just wipe /etc', 'justfile line 12 deletes system files'],
    ['just script', 'justfile line 16 deletes system files'],
  ])('are judged: %s', (command, message) => {
    expect(messages({ justfile }, command)).toEqual([message])
  })
})
