import { PassThrough, Writable } from 'node:stream'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openHub } from '../../src/open-hub.ts'
import type { AskInput, HubApi, Request } from '../../src/protocol/index.ts'
import { promptPlain } from '../../src/terminal/plain/prompt.ts'
import { databases } from '../setup/databases.ts'

// A person who types anything at all, line by line, to a real hub. Whatever they type: nothing is settled that one of
// their lines does not say.

const labels = ['alpha', 'beta, gamma', '3', '한국어', 'other']
const anyOptions = fc.subarray(labels, { minLength: 0 })
const anyQuestion = fc.record({
  options: anyOptions,
  multiSelect: fc.boolean(),
  allowOther: fc.boolean(),
  withDefault: fc.boolean(),
})
const anyAsk = fc.record({ questions: fc.array(anyQuestion, { minLength: 1, maxLength: 3 }), required: fc.boolean() })

const anyLine = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      '1',
      '2',
      '3',
      '0',
      'other',
      'OTHER',
      '1,2',
      '1,3',
      '1, 2',
      '2 3',
      '#1',
      'alpha',
      'Alpha',
      '한국어',
    ),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      '2abc',
      '1,1',
      '1,0',
      '9',
      '-1',
      '1.0',
      '1e0',
      '１',
      ',',
      '1,',
      'beta',
      'beta, gamma',
      '0,0',
      '00',
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '',
      ' ',
      '/skip',
      '/decline',
      '/decline not now',
      '/note hm',
      '/back',
      '/help',
      '/options',
      '/leave',
    ),
  },
  { weight: 2, arbitrary: fc.string({ unit: 'grapheme', maxLength: 12 }).map(text => text.replaceAll(/[\r\n]/g, '')) },
  {
    weight: 1,
    arbitrary: fc.string({ unit: 'binary', maxLength: 8 }).map(text => text.replaceAll(/[\r\n\u2028\u2029]/g, '')),
  },
)

let hub: HubApi
beforeAll(async () => {
  hub = await openHub({ database: await (databases[0] as (typeof databases)[0]).fresh() })
})
afterAll(() => hub.close())

let asked = 0

function ask({
  questions,
  required,
}: {
  questions: { options: string[]; multiSelect: boolean; allowOther: boolean; withDefault: boolean }[]
  required: boolean
}): AskInput {
  asked += 1
  return {
    required,
    key: `fuzz-${asked}`,
    questions: questions.map(({ options, multiSelect, allowOther, withDefault }, i) => ({
      question: `Question ${i}?`,
      header: `Q${i}`,
      options,
      multiSelect: multiSelect && options.length > 0,
      ...(options.length > 0 ? { allowOther } : {}),
      // A label that is also a number is no default that a person could mean.
      default: withDefault && options[0] !== '3' ? (options[0] ?? 'text') : null,
    })),
  }
}

async function answer(request: Request, input: string) {
  const stdin = new PassThrough()
  const stderr = new Writable({ write: (_chunk, _encoding, done) => done() })
  stdin.end(input)
  return promptPlain({ input: stdin, output: stderr, env: {} }, hub, request, {
    signal: new AbortController().signal,
    now: Date.now,
  })
}

/** Whether this line alone names exactly these labels of these options. */
function names(line: string, selected: readonly string[], options: readonly string[]): boolean {
  const entered = line.trim()
  if (selected.length === 1 && says(entered, selected[0] ?? '', options)) return true
  const parts = entered.split(',').flatMap(part => (/^[\s\d#]+$/.test(part) ? part.trim().split(/\s+/) : [part.trim()]))
  return parts.length === selected.length && selected.every(label => parts.some(part => says(part, label, options)))
}

function says(part: string, label: string, options: readonly string[]): boolean {
  const position = options.indexOf(label) + 1
  return (
    part.normalize('NFC').toLowerCase() === label.toLowerCase() || part === `${position}` || part === `#${position}`
  )
}

describe('thousands of random inputs', () => {
  it('never settle a request that nobody answered, never crash and never hang', { timeout: 300_000 }, async () => {
    let settled = 0
    await fc.assert(
      fc.asyncProperty(
        anyAsk,
        fc.array(anyLine, { maxLength: 12 }),
        fc.constantFrom('\n', '\r\n'),
        async (wish, lines, newline) => {
          const request = await hub.raise(ask(wish))
          const end = await answer(request, lines.map(line => line + newline).join(''))
          const { status, outcome } = await hub.get(request.id)
          if (typeof end === 'string') {
            expect(end).toBe('left')
            expect(status).toBe('pending')
            return
          }
          settled += 1
          expect(outcome?.channel).toBe('terminal')
          const blank = lines.some(line => line.trim() === '')
          if (status === 'declined') expect(lines.map(line => line.trim())).toContain(`/decline ${outcome?.reason}`)
          if (status === 'skipped') {
            expect(request.required).toBe(false)
            const [only, ...others] = request.kind === 'question' ? request.questions : []
            const mayBeBlank = others.length > 0 || only?.options.length === 0
            expect((blank && mayBeBlank) || lines.some(line => line.trim().toLowerCase() === '/skip')).toBe(true)
          }
          if (status !== 'answered' || request.kind !== 'question') return
          for (const [i, { selected, text }] of (outcome?.answers ?? []).entries()) {
            const {
              options,
              default: byDefault,
              multiSelect,
            } = request.questions[i] ?? { options: [], default: null, multiSelect: false }
            const all = options.map(option => option.label)
            if (selected.length > 1) expect(multiSelect).toBe(true)
            const isDefault =
              blank && JSON.stringify(byDefault === null ? [] : [byDefault].flat()) === JSON.stringify(selected)
            if (selected.length > 0) expect(isDefault || lines.some(line => names(line, selected, all))).toBe(true)
            if (text !== null && text !== '')
              expect(
                lines.some(line => [text, text.replace(/^(\s*)\//, '$1//')].includes(line)) ||
                  (blank && byDefault === text),
              ).toBe(true)
            if (text !== null && options.length > 0)
              expect(lines.some(line => /^\s*(0|other)\s*$/i.test(line))).toBe(true)
            if (selected.length === 0 && !text) expect(request.required).toBe(false)
          }
        },
      ),
      { numRuns: 2_000 },
    )
    // Otherwise the property would say little.
    expect(settled).toBeGreaterThan(600)
  })
})
