import fc from 'fast-check'
import { expect, it } from 'vitest'
import { explain } from '../../src/guard/explain.ts'
import { classifyInProject } from './classify-in-project.ts'

it('explains by the program that a rule is about, inside wrappers, pipes, functions and strings', () => {
  const said = explained('f() { git push -f; }; f | tee /etc/x; bash -c "git stash drop"; npm test > ~/.bashrc')
  expect(said).toEqual([
    'f: ',
    'git push -f: git/push-force',
    'tee /etc/x: fs/write-system',
    'bash -c git stash drop: ',
    'git stash drop: git/stash-drop',
    'npm test: ',
    '> /home/me/.bashrc: fs/write-startup',
  ])
})

it('shows the same program once, however often a loop starts it', () => {
  expect(explained('for i in 1 2 3; do ls; done')).toEqual(['ls: '])
})

it('says nothing about a program that is about the command as a whole', () => {
  expect(explained('ls; echo $(')).toEqual(['ls: ', 'echo: '])
})

it('is bounded, and keeps what a rule says something about', () => {
  const long = 'x'.repeat(5_000)
  const many = Array.from({ length: 200 }, (_, i) => `echo ${i} ${long.slice(0, 300)} ${'w '.repeat(60)}`).join('; ')
  const { steps, omitted } = explain(classifyInProject(`${many}; git push -f`))
  expect(steps.length).toBe(50)
  expect(omitted).toBe(151)
  expect(steps.at(-1)?.argv).toEqual(['git', 'push', '-f'])
  expect(steps[0]?.argv.length).toBe(41)
  expect(JSON.stringify(steps).length).toBeLessThan(50 * 2_000)
})

it('is bounded for any input', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 200 }), fc.constantFrom('', 'git push -f; ', 'sh -c '), (text, before) => {
      const { steps, omitted } = explain(classifyInProject(before + text))
      expect(steps.length).toBeLessThanOrEqual(50)
      expect(omitted).toBeGreaterThanOrEqual(0)
    }),
    { numRuns: 1_000, seed: 20_260_119 },
  )
})

function explained(command: string): string[] {
  const { steps } = explain(classifyInProject(command))
  return steps.map(({ argv, reasons }) => `${argv.join(' ')}: ${reasons.map(({ rule }) => rule).join(' ')}`)
}
