import { describe, expect, it } from 'vitest'
import { literal } from '../../src/guard/interpret/arguments.ts'
import { Scope } from '../../src/guard/interpret/scope.ts'
import { emptyStream } from '../../src/guard/interpret/streams.ts'
import { ProgramCall } from '../../src/guard/program-call.ts'
import { type Condition, meets } from '../../src/guard/rules/condition.ts'
import { project } from './classify-in-project.ts'

describe('a condition', () => {
  it.each<[keyof Condition, Condition, string, string]>([
    ['program', { program: 'git' }, 'git log', 'gi log'],
    ['program', { program: ['git', 'hg'] }, 'hg log', 'g log'],
    ['sub', { sub: ['stash drop', 'gc'] }, 'git -q stash drop', 'git stash pop drop'],
    ['any', { any: ['-a', '--all'] }, 'x -ba', 'x -b'],
    ['all', { all: ['-a', '-b'] }, 'x -ba', 'x -a'],
    ['none', { none: ['-n'] }, 'x -a', 'x -an'],
    ['words', { words: /^vm delete\b/ }, 'x --all vm delete a', 'x vm list delete'],
    ['notWords', { notWords: /^vm list\b/ }, 'x vm delete', 'x --all vm list'],
    ['option', { option: { '-o --output': /^json/ } }, 'x get --output=jsonpath', 'x get --output=wide json'],
    ['option', { option: { '-o --output': /./ } }, 'x -o=a --output=b', 'x a'],
    ['optionMatches', { optionMatches: /^--delete/ }, 'x a --delete-after', 'x a b'],
    ['operandMatches', { sub: 'cp', operandMatches: /^s3:/ }, 'x cp a s3://b', 'x cp a --to=s3:'],
    ['lastOperand', { lastOperand: /^s3:/ }, 'x cp a s3://b', 'x cp s3://b a'],
    ['argMatches', { argMatches: /^-[a-z]*f/ }, 'x -xf a', 'x f -a'],
    ['operandIn', { operandIn: ['device', 'system'] }, 'x a /dev/sda', 'x a /dev/null dist'],
    ['oneOf', { oneOf: [{ program: 'a', any: ['-x'] }, { program: 'b' }] }, 'a -x', 'a -y'],
    ['unless', { any: ['-f'], unless: { words: /^test\b/ } }, 'x -f run', 'x -f test'],
    ['unless', { unless: [{ any: ['-n'] }, { any: ['-i'] }] }, 'x -f', 'x -i'],
  ])('by %s %j holds for %j and not for %j', (_, condition, yes, no) => {
    expect(Boolean(meets(callOf(yes), condition))).toBe(true)
    expect(Boolean(meets(callOf(no), condition))).toBe(false)
  })

  it('points at the operand that tells, of an alternative too', () => {
    const call = callOf('dd a /dev/sda')
    expect(meets(call, { operandIn: ['device'] })).toBe(call.operands[1])
    expect(meets(call, { oneOf: [{ operandMatches: /^z/ }, { operandMatches: /sda$/ }] })).toBe(call.operands[1])
    expect(meets(call, { program: 'dd' })).toBe(true)
  })
})

function callOf(command: string): ProgramCall {
  const [program = '', ...args] = command.split(' ')
  const frame = {
    scope: new Scope(project.cwd),
    stdin: emptyStream,
    env: new Map(),
    span: [0, 0],
    via: [],
    depth: 0,
    root: false,
    shown: true,
    callStack: [],
  } as const
  const words = args.map(word => literal(word, [0, 0]))
  return new ProgramCall(program, words, frame, { ...project, env: {}, strict: false, gitState: null })
}
