import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { classify } from '../../src/guard/index.ts'
import { classifyInProject, project } from './classify-in-project.ts'
import { readCorpus } from './corpus.ts'
import { type Files, look } from './look-in-project.ts'

// What says nothing about a file, see src/guard/look/found-in-file.ts.
const saysNothing = /^shell\/(dynamic-code|dynamic-command|too-deep|unreadable)$/

function rules(reasons: readonly { rule: string }[]): string[] {
  return [...new Set(reasons.map(({ rule }) => rule))].filter(rule => !saysNothing.test(rule)).toSorted()
}

/** The ways to run a command that stands in a file. */
const hosts: Readonly<Record<string, (command: string) => Files>> = {
  'bash x.sh some arguments': command => ({ 'x.sh': `#!/bin/bash\n${command}\n` }),
  'npm run x': command => ({ 'package.json': JSON.stringify({ scripts: { x: command } }, null, 2) }),
  'make x': command => ({
    Makefile: `.ONESHELL:\nx:\n\t${command.replaceAll('$', '$$$$').replaceAll('\n', '\n\t')}\n`,
  }),
}

describe('looking inside', () => {
  it('finds in a file what it finds in the command, for every command of the corpus', () => {
    const different = []
    for (const { name, commands } of readCorpus()) {
      // A backslash at the end of a line means something else there, and so do the arguments of a script.
      const plain = commands.filter(command => !/\\$|\$[@*#\d]/m.test(command) && !/powershell/.test(command))
      for (const command of plain) {
        const wanted = rules(classifyInProject(command).reasons)
        for (const [run, filesWith] of Object.entries(hosts)) {
          const found = rules(look(filesWith(command), run).reasons)
          if (found.join() !== wanted.join()) different.push({ name, run, command, wanted, found })
        }
      }
    }
    expect(different).toEqual([])
  }, 120_000)

  const commands = [
    'bash f',
    './f',
    '. ./f',
    'python f',
    'node f',
    'ruby f',
    'npm run x',
    'npm test',
    'make',
    'make x',
    'just',
    'just x y',
    'deno task x',
    'composer x',
  ]
  const pieces = [
    ...[
      'x',
      'y',
      ':',
      ' ',
      '\n',
      '\n\t',
      '\n    ',
      '$(',
      '${',
      ')',
      '}',
      '$$',
      '$@',
      '"',
      "'",
      '`',
      '\\',
      '#',
      '=',
      ':=',
      '?=',
    ],
    ...[
      'include f',
      'define x\n',
      'endef\n',
      '{{',
      '}}',
      '"scripts":',
      '{',
      '[',
      '#!',
      '/usr/bin/env python',
      '((',
      '<<EOF',
      '\0',
      '\ud800',
      '\u001b',
    ],
    ...[
      './f',
      '. ./f',
      'make x',
      'npm run x',
      'just x',
      'rm -rf /',
      'eval ',
      '$(shell ',
      'rmtree(',
      'exec(',
      '"""',
      '/*',
    ],
  ]
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(fc.constantFrom(...pieces), { maxLength: 60 }).map(all => all.join('')),
  )

  it('never throws, whatever a file holds, and marks only parts of the command', () => {
    fc.assert(
      fc.property(fc.constantFrom(...commands), text, (command, content) => {
        const { reasons } = classify(command, { ...project, readFile: () => ({ text: content }) })
        for (const { span, file, line } of reasons) {
          expect(span[0]).toBeGreaterThanOrEqual(0)
          expect(span[1]).toBeLessThanOrEqual(command.length)
          if (file !== undefined) expect(line).toBeGreaterThanOrEqual(1)
        }
      }),
      { numRuns: 2_000, seed: 20_260_118 },
    )
  }, 120_000)

  it('never makes a verdict milder', () => {
    const order = ['allow', 'ask', 'deny']
    fc.assert(
      fc.property(fc.constantFrom(...readCorpus().flatMap(one => one.commands)), text, (command, content) => {
        const looked = classify(command, { ...project, readFile: () => ({ text: content }) })
        expect(order.indexOf(looked.verdict)).toBeGreaterThanOrEqual(order.indexOf(classifyInProject(command).verdict))
      }),
      { numRuns: 2_000, seed: 20_260_119 },
    )
  }, 120_000)

  it.each([
    ['a shell script', 'bash f', 'x; $(y) && z "$1"\n'],
    ['python', 'python f', 'os.system("ls " + x)\n'],
    ['a makefile', 'make -f f', 'a$(A): b c\n\techo $(shell $(B) $(C)) $$x\n'],
    ['a makefile whose variables multiply', 'make -f f', 'A=$(B)$(B)$(B)\nB=$(A)$(C)\nC=$(B)$(B)\nall:\n\t$(A)\n'],
    ['brackets', 'make -f f', '$($($($((\n'],
    ['a justfile', 'just -f f', 'x {{y}}:\n    {{x}} {{y}}\n'],
  ])('takes a bounded time: %s', (_, command, line) => {
    const start = performance.now()
    classify(command, {
      ...project,
      readFile: path => (path.endsWith('/f') ? { text: line.repeat(90_000 / line.length) } : { unread: 'missing' }),
    })
    expect(performance.now() - start).toBeLessThan(5_000)
  })
})
