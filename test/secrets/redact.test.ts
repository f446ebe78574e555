import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formsOf } from '../../src/secrets/forms.ts'
import { createRedactor, type Redactor } from '../../src/secrets/redact.ts'

// Few letters, so that secrets overlap, repeat and share prefixes; none of them is in "[redacted]".
const letters = fc.constantFrom('x', 'y', 'z', '\n', '"', '+', 'ü')
const secretTexts = fc.array(fc.string({ unit: letters, minLength: 1, maxLength: 12 }), { maxLength: 5 })

describe('a redactor', () => {
  it('redacts secrets no matter how the stream is cut, and changes nothing else', () => {
    fc.assert(
      fc.property(secretTexts, fc.gen(), (secrets, gen) => {
        const { text, cuts } = streamWith(secrets, gen)
        const redactor = redactorFor(secrets)
        const output = pushAll(redactor, text, cuts)
        expect(output.toString('latin1')).toBe(redactWhole(secrets, text))
        for (const secret of secrets.flatMap(formsOf)) expect(output.includes(secret)).toBe(false)
      }),
      { numRuns: 2_000 },
    )
  })

  it('redacts twenty long secrets of any bytes', () => {
    const long = fc.array(fc.string({ unit: 'binary', minLength: 4, maxLength: 200 }), { minLength: 20, maxLength: 20 })
    fc.assert(
      fc.property(long, fc.gen(), (secrets, gen) => {
        const { text, cuts } = streamWith(secrets, gen)
        expect(pushAll(redactorFor(secrets), text, cuts).toString('latin1')).toBe(redactWhole(secrets, text))
      }),
      { numRuns: 50 },
    )
  })

  it('holds back at most the beginning of a secret', () => {
    fc.assert(
      fc.property(secretTexts, fc.gen(), (secrets, gen) => {
        const { text } = streamWith(secrets, gen)
        const forms = secrets.flatMap(formsOf)
        const redactor = redactorFor(secrets)
        redactor.push(text)
        const held = redactor.end().toString('latin1').replaceAll('[redacted]', '')
        expect(held.length).toBeLessThanOrEqual(Math.max(0, ...forms.map(form => prefixAtEnd(text, form))))
      }),
      { numRuns: 500 },
    )
  })

  it('returns the chunk itself if there is nothing to redact', () => {
    const chunk = Buffer.from('nothing to see here')
    expect(createRedactor().push(chunk).buffer).toBe(chunk.buffer)
    expect(redactorFor(['hunter2']).push(chunk).buffer).toBe(chunk.buffer)
  })

  it('passes a prompt on at once', () => {
    const redactor = redactorFor(['hunter2-hunter2'])
    expect(redactor.push(Buffer.from('Password: ')).toString()).toBe('Password: ')
    expect(redactor.push(Buffer.from('hunt')).toString()).toBe('')
    expect(redactor.push(Buffer.from('ing')).toString()).toBe('hunting')
    expect(redactor.push(Buffer.from('hunter')).toString()).toBe('')
    expect(redactor.end().toString()).toBe('hunter')
  })

  it('can be used for another stream after the end of one', () => {
    const redactor = redactorFor(['hunter2'])
    redactor.push(Buffer.from('hunt'))
    redactor.end()
    expect(pushAll(redactor, Buffer.from('er2 hunter2'), []).toString()).toBe('er2 [redacted]')
  })

  it('redacts overlapping secrets as one, and adjacent ones as two', () => {
    expect(redacted(['abcdef', 'defghi'], 'abcdefghi!')).toBe('[redacted]!')
    expect(redacted(['abcdef', 'ghijkl'], 'abcdefghijkl')).toBe('[redacted][redacted]')
    expect(redacted(['xxxx'], '-xxxxxxxxx-')).toBe('-[redacted]-')
  })

  it('redacts the longer of two secrets with the same beginning, and the shorter one alone', () => {
    expect(redacted(['token', 'token-of-mine'], 'token-of-mine token-of-yours')).toBe('[redacted] [redacted]-of-yours')
  })

  it('redacts a secret that is added later, also in the text that is held back', () => {
    const redactor = redactorFor(['abcdefgh'])
    expect(redactor.push(Buffer.from('later abcde')).toString()).toBe('later ')
    redactor.add('later')
    redactor.add('bcde')
    expect(redactor.push(Buffer.from('! later')).toString()).toBe('a[redacted]! [redacted]')
    expect(redactor.end().toString()).toBe('')
  })

  it('redacts secrets that are added later like those known from the start', () => {
    fc.assert(
      fc.property(secretTexts, secretTexts, fc.gen(), (before, after, gen) => {
        const first = streamWith(before, gen)
        const second = streamWith([...before, ...after], gen)
        const redactor = redactorFor(before)
        const start = Buffer.concat(chunksOf(first.text, first.cuts).map(chunk => redactor.push(chunk)))
        for (const secret of after) redactor.add(secret)
        const rest = pushAll(redactor, second.text, second.cuts).toString('latin1')
        // Output that was passed on stays; the rest is as if all secrets were known from the start.
        const whole = redactWhole([...before, ...after], Buffer.concat([first.text, second.text]))
        const together = start.toString('latin1') + rest
        for (const form of after.flatMap(formsOf)) expect(rest).not.toContain(form.toString('latin1'))
        if (after.length === 0) expect(together).toBe(whole)
      }),
    )
  })

  const secret = `it's "50%" & pässwörd/+$HOME\\`
  it.each([
    ['base64', Buffer.from(secret).toString('base64')],
    ['base64url', Buffer.from(secret).toString('base64url')],
    ['a URL', encodeURIComponent(secret)],
    ['a URL with lower-case digits', encodeURIComponent(secret).replace(/%../g, code => code.toLowerCase())],
    ['a form', new URLSearchParams([['', secret]]).toString().slice(1)],
    ['JSON', JSON.stringify(secret).slice(1, -1)],
    ['JSON in JSON', JSON.stringify(JSON.stringify(secret)).slice(3, -3)],
    ['JSON of Python', `it's \\"50%\\" & p\\u00e4ssw\\u00f6rd/+$HOME\\\\`],
    ['single quotes', `it'\\''s "50%" & pässwörd/+$HOME\\`],
    ['double quotes', `it's \\"50%\\" & pässwörd/+\\$HOME\\\\`],
    ['printf %q', `it\\'s\\ \\"50%\\"\\ \\&\\ pässwörd/+\\$HOME\\\\`],
  ])('redacts a secret in %s', (_, form) => {
    expect(redacted([secret], `<${form}>`)).toBe('<[redacted]>')
  })

  it('redacts a secret in the base64 of a larger text', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 6 }), fc.string({ maxLength: 6 }), (before, after) => {
        const output = redacted(
          ['correct horse battery'],
          Buffer.from(`${before}correct horse battery${after}`).toString('base64'),
        )
        // A base64 digit at each end may combine a letter with its neighbour.
        expect(output).toContain('[redacted]')
        expect(Buffer.from(output.replace('[redacted]', '-'), 'base64').toString()).not.toContain('orse')
      }),
    )
  })

  it('redacts a secret of several lines as a whole and line by line', () => {
    const key = '-----BEGIN KEY-----\nMIIEvQIBADANBgkq\n  hkiG9w0BAQEFAASC\nBKc=\n-----END KEY-----\n'
    expect(redacted([key], `a\n${key}b`)).toBe('a\n[redacted]\nb')
    expect(redacted([key], key.replaceAll('\n', '\r\n'))).toBe('[redacted]\r\n')
    expect(redacted([key], '1: MIIEvQIBADANBgkq\n2: hkiG9w0BAQEFAASC\n3: BKc=')).toBe(
      '1: [redacted]\n2: [redacted]\n3: BKc=',
    )
    expect(redacted([key], JSON.stringify({ key }))).toBe('{"key":"[redacted]\\n"}')
  })

  it('ignores a line break at the end of a secret', () => {
    expect(redacted(['s3cret\n'], 'the s3cret is out')).toBe('the [redacted] is out')
  })

  it('does not redact texts that are too short to be secrets', () => {
    expect(redacted(['yes', '', '80\n'], 'yes, port 80')).toBe('yes, port 80')
    expect(redacted(['port'], 'yes, port 80')).toBe('yes, [redacted] 80')
  })

  it('redacts a repetitive secret quickly', () => {
    const start = performance.now()
    const text = Buffer.alloc(2_000_000, 'a')
    for (const secret of ['a'.repeat(5_000), `b${'a'.repeat(5_000)}`, `${'a'.repeat(5_000)}b`]) redacted([secret], text)
    expect(performance.now() - start).toBeLessThan(5_000)
  })
})

function redactorFor(secrets: string[]): Redactor {
  const redactor = createRedactor()
  for (const secret of secrets) redactor.add(secret)
  return redactor
}

function redacted(secrets: string[], text: string | Buffer): string {
  return pushAll(redactorFor(secrets), Buffer.from(text as string), []).toString()
}

function pushAll(redactor: Redactor, text: Buffer, cuts: number[]): Buffer {
  return Buffer.concat([...chunksOf(text, cuts).map(chunk => redactor.push(chunk)), redactor.end()])
}

/** Each chunk has its own memory, so reading past its end is noticed. */
function chunksOf(text: Buffer, cuts: number[]): Buffer[] {
  const offsets = [0, ...cuts.map(cut => Math.min(cut, text.length)).sort((a, b) => a - b), text.length]
  return offsets.slice(1).map((end, i) => Buffer.from(text.subarray(offsets[i], end)))
}

/** Text with secrets in all their forms, and parts of them, between other letters. */
function streamWith(secrets: string[], gen: fc.GeneratorValue): { text: Buffer; cuts: number[] } {
  const forms = secrets.flatMap(formsOf)
  const pieces: Buffer[] = []
  for (let count = gen(fc.nat, { max: 12 }); count > 0; count -= 1) {
    const form = forms[gen(fc.nat, { max: 1_000 }) % Math.max(forms.length, 1)]
    const other = Buffer.from(gen(fc.string, { unit: letters, maxLength: 6 }))
    const part = form?.subarray(0, gen(fc.boolean) ? form.length : gen(fc.nat, { max: form.length }))
    pieces.push(other, part ?? other)
  }
  const text = Buffer.concat(pieces)
  return { text, cuts: gen(fc.array, fc.nat({ max: text.length }), { maxLength: 20 }) as number[] }
}

/** How many bytes at the end of the text are a proper prefix of a form. */
function prefixAtEnd(text: Buffer, form: Buffer): number {
  let length = Math.min(form.length - 1, text.length)
  while (length > 0 && !text.subarray(-length).equals(form.subarray(0, length))) length -= 1
  return length
}

/** The simplest correct algorithm: all occurrences of all forms, merged where they overlap. */
function redactWhole(secrets: string[], bytes: Buffer): string {
  const text = bytes.toString('latin1')
  const spans: [number, number][] = []
  for (const form of secrets.flatMap(formsOf).map(form => form.toString('latin1'))) {
    for (let at = text.indexOf(form); at >= 0; at = text.indexOf(form, at + 1)) spans.push([at, at + form.length])
  }
  spans.sort(([a], [b]) => a - b)
  let output = ''
  let end = 0
  for (const [i, [from, to]] of spans.entries()) {
    if (i === 0 || from >= end) output += `${text.slice(end, from)}[redacted]`
    end = Math.max(end, to)
  }
  return output + text.slice(end)
}
