import { PassThrough } from 'node:stream'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type Key, readKeys } from '../../src/terminal/keys.ts'
import { InputSplitter } from '../../src/terminal/split-input.ts'
import { until } from '../cli/sandbox.ts'

const begin = '\x1b[200~'
const end = '\x1b[201~'

describe('what a terminal sends', () => {
  it('is split into keys and pastes wherever the reads cut it', () => {
    const sent = Buffer.from(`한${begin}first\rsecond \x1b[A\x03 글${end}x${begin}${end}\x1b[B`)
    const cuts = fc.array(fc.integer({ min: 0, max: sent.length }), { maxLength: 12 })
    fc.assert(
      fc.property(cuts, at => {
        const splitter = new InputSplitter()
        const places = [0, ...at.toSorted((a, b) => a - b), sent.length]
        const pieces = places.slice(1).flatMap((to, i) => splitter.push(sent.subarray(places[i], to)))
        const keys = pieces.map(piece => ('keys' in piece ? piece.keys : `<${piece.paste}>`)).join('')
        expect(keys).toBe('한<first\rsecond \x1b[A\x03 글>x<>\x1b[B')
        expect(splitter.isPasting).toBe(false)
      }),
    )
  })
})

describe('reading keys', () => {
  it('reads a paste as one key, with its lines and without its control characters', async () => {
    const { send, keys } = read()
    send(`${begin}one\rtwo\r\n\tthree\x1b[31m red\x1b[0m\x03\x07${end}\r`)
    await until(() => keys.length === 2, 'two keys')
    expect(keys[0]).toMatchObject({ name: 'paste', text: 'one\ntwo\n\tthree red', pasted: true })
    expect(keys[1]).toMatchObject({ name: 'return', pasted: false })
  })

  it('reads a paste as one key whose end mark comes in two reads', async () => {
    const { send, keys } = read()
    for (const part of [`${begin}one\r`, 'two', '\x1b[20', '1~', 'x']) send(part)
    await until(() => keys.length === 2, 'two keys')
    expect(keys.map(({ name, text }) => [name, text])).toEqual([
      ['paste', 'one\ntwo'],
      ['x', 'x'],
    ])
  })

  it('obeys Ctrl-C on its own during a paste, and drops the paste', async () => {
    const { send, keys } = read()
    for (const part of [`${begin}much`, ' too', '\x03', ' long\r', `\r${end}`, 'x']) send(part)
    await until(() => keys.length === 2, 'two keys')
    expect(keys).toMatchObject([
      { name: 'c', ctrl: true, pasted: false },
      { name: 'x', pasted: false },
    ])
  })

  it('shows a paste whose end mark got lost, and takes keys again', async () => {
    const { send, keys } = read()
    send(`${begin}lost`)
    await until(() => keys.length === 1, 'the paste')
    send('a')
    send('b')
    await until(() => keys.length === 3, 'the keys after it')
    expect(keys.map(({ text, pasted }) => [text, pasted])).toEqual([
      ['lost', true],
      ['a', false],
      ['b', false],
    ])
  })

  it('reads a paste without marks as one key, and none of its Enters as Enter', async () => {
    const { send, keys } = read()
    send('first line\rsecond')
    send(' line\r')
    send('\r')
    await until(() => keys.length === 1, 'one key')
    expect(keys).toMatchObject([{ name: 'paste', text: 'first line\nsecond line\n\n', pasted: true }])
  })

  it('takes a line and its Enter in one read for a paste, where the terminal marks none', async () => {
    const console = read({ TERM: 'linux' })
    console.send('rm -rf x\r')
    await until(() => console.keys.length > 0, 'a key')
    expect(console.keys).toMatchObject([{ name: 'paste', text: 'rm -rf x\n' }])
  })

  it('knows Esc, words, undo and Shift-Enter', async () => {
    const { send, keys } = read()
    for (const one of ['\x1bb', '\x1b[1;5C', '\x1f', '\x1b[13;2u', '\x1b']) send(one)
    await until(() => keys.length === 5, 'five keys')
    expect(keys).toMatchObject([
      { name: 'b', alt: true, text: '' },
      { name: 'right', ctrl: true },
      { name: '_', ctrl: true, text: '' },
      { name: 'return', alt: true },
      { name: 'escape' },
    ])
  })
})

function read(env: NodeJS.ProcessEnv = { TERM: 'xterm-256color' }) {
  const input = new PassThrough()
  const keys: Key[] = []
  const stop = readKeys(
    { input, output: new PassThrough(), env },
    one => keys.push(one),
    () => {},
  )
  onTestFinished(stop)
  return { keys, send: (text: string) => input.emit('data', Buffer.from(text)) }
}
