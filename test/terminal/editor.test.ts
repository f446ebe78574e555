import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Editor, edit, editorOf, replaceBefore, replaceText } from '../../src/terminal/editor.ts'
import { layOutEditor } from '../../src/terminal/editor-layout.ts'
import type { Key } from '../../src/terminal/keys.ts'
import { harmless } from '../../src/text/harmless.ts'
import { key } from './key.ts'

const lines300 = Array.from({ length: 300 }, (_, i) => `line ${i + 1}`).join('\n')

describe('the editor', () => {
  it('moves over a syllable, an accented letter or a joined emoji in one step', () => {
    for (const one of ['한', 'e\u0301', '👩‍👩‍👧']) {
      const written = editorOf(`a${one}`)
      expect(edit(written, key({ name: 'left' }))?.at).toBe(1)
      expect(edit(written, key({ name: 'backspace' }))?.text).toBe('a')
    }
  })

  it('moves between lines, and reports when there is no further line', () => {
    const written = editorOf('first\nsecond')
    const above = edit(written, key({ name: 'up' }))
    expect(above?.at).toBe(5)
    expect(above && edit(above, key({ name: 'up' }))).toBeNull()
    expect(edit(written, key({ name: 'down' }))).toBeNull()
  })

  it('keeps the column between lines of narrow and wide letters', () => {
    expect(press(editorOf('abcdef\n한글x'), 'up').at).toBe(5)
    expect(press(editorOf('한글날\nabcd'), 'up').at).toBe(2)
  })

  it('inserts a line break only for Ctrl-J, Alt-Enter and in a paste', () => {
    const at = editorOf('a')
    for (const one of [
      key({ name: 'enter' }),
      key({ name: 'return', alt: true }),
      key({ name: 'return', pasted: true }),
    ]) {
      expect(edit(at, one)?.text).toBe('a\n')
    }
    expect(edit(at, key({ name: 'return' }))).toBeNull()
  })

  it.each([
    ['English', "we don't know", [9, 3, 0]],
    ['Chinese', '你好世界', [2, 0]],
    ['Hebrew', 'שלום עולם', [5, 0]],
    ['Korean', '나중에 다시', [4, 0]],
    ['an emoji between words', 'yes 👩‍👩‍👧 no', [13, 0]],
  ])('moves by words of %s', (_, text, stops) => {
    let editor = editorOf(text)
    for (const stop of stops) {
      editor = press(editor, '⌥b')
      expect(editor.at).toBe(stop)
    }
    expect(press(editor, '⌥f', '⌥f', '⌥f', '⌥f').at).toBe(text.length)
    expect(press(editorOf(text), '^left').at).toBe(stops[0])
  })

  it('kills and yanks words and lines, several in a row as one', () => {
    const words = press(editorOf('one two three'), '^w', '^w')
    expect(words.text).toBe('one ')
    expect(press(words, '^a', '^y').text).toBe('two threeone ')
    expect(press(editorOf('one two'), '^a', '⌥d', '⌥d', '^y').text).toBe('one two')
    expect(press(editorOf('first\nsecond'), 'home', '^k', 'up', '^y').text).toBe('secondfirst\n')
    expect(press(editorOf('first\nsecond'), '^u', '^u').text).toBe('first')
    expect(press(editorOf('a\nb'), 'up', '^k').text).toBe('ab')
  })

  it('yanks what was killed before with Alt-Y', () => {
    const killed = press(editorOf('one two'), '^w', 'left', 'end', '^w')
    expect(press(killed, '^y').text).toBe('one ')
    expect(press(killed, '^y', '⌥y').text).toBe('two')
    expect(press(killed, '^y', '⌥y', '⌥y').text).toBe('one ')
    expect(press(killed, '^y', '⌥y', '^_').text).toBe('')
  })

  it('undoes word by word, and every other edit on its own', () => {
    const written = press(editorOf(''), 'h', 'i', ' ', 'y', 'o', 'u', 'backspace', '^w')
    const texts = ['hi ', 'hi yo', 'hi you', 'hi ', '', '']
    let editor = written
    for (const text of texts) {
      expect(editor.text).toBe(text)
      editor = press(editor, '^_')
    }
  })

  it('collapses a long paste to its length and keeps all of its text', () => {
    const written = press(editorOf('before '), paste(lines300), '!')
    expect(written.text).toBe(`before ${lines300}!`)
    expect(screenOf(written)).toEqual(['before [300 lines pasted]!'])
    expect(written.at).toBe(written.text.length)
    expect(press(written, 'left', 'left').at).toBe('before '.length)
    expect(press(written, 'left', 'backspace').text).toBe('before !')
    expect(screenOf(press(written, 'left', 'backspace', '^_'))).toEqual(['before [300 lines pasted]!'])
    expect(press(written, '⌥b', '⌥d', '^y').text).toBe(`before ${lines300}!`)
    expect(press(written, '^_', '^_').text).toBe('before ')
    expect(screenOf(press(editorOf(''), paste('x'.repeat(12_000))))).toEqual(['[12,000 characters pasted]'])
  })

  it('shows a short paste as it is, with its tabs', () => {
    const written = press(editorOf(''), paste('a\n\tb'))
    expect(written.text).toBe('a\n\tb')
    expect(screenOf(written)).toEqual(['a', '  b'])
  })

  it('takes another text as one edit, and keeps pastes collapsed that are still in it', () => {
    const written = press(editorOf('before '), paste(lines300))
    const changed = replaceText(written, `after ${lines300}`)
    expect(changed.text).toBe(`after ${lines300}`)
    expect(screenOf(changed)).toEqual(['after [300 lines pasted]'])
    expect(press(changed, '^_').text).toBe(written.text)
    expect(replaceBefore(press(written, '@', 's'), 2, '@src/').text).toBe(`before ${lines300}@src/`)
  })

  it('keeps text and cursor together whatever is pressed', () => {
    const anyKey = fc.oneof(
      fc.constantFrom(...['^k', '^u', '^w', '^y', '^_', '^d', '^a', '^e', '⌥y', '⌥d', '⌥b', '⌥f']),
      fc.constantFrom(...['left', 'right', 'up', 'down', 'home', 'end', 'backspace', 'delete', 'enter']),
      fc.constantFrom('a', ' ', '한', 'ש', '👩‍👩‍👧', '\u0301', '\ud83d'),
      fc.constantFrom(paste('x\ny'), paste(lines300)),
    )
    fc.assert(
      fc.property(fc.array(anyKey, { maxLength: 40 }), keys => {
        const editor = press(editorOf('a b'), ...keys)
        expect(editor.at).toBeLessThanOrEqual(editor.text.length)
        expect(editor.text.isWellFormed()).toBe(true)
        const { lines, row, column } = layOutEditor(editor, 20)
        expect(row).toBeLessThan(lines.length)
        expect(column).toBeLessThanOrEqual(20)
        // Typing appears exactly where the cursor is.
        const typed = press(editor, '!')
        expect(typed.text).toBe(`${editor.text.slice(0, editor.at)}!${editor.text.slice(editor.at)}`)
      }),
    )
  })

  it('lays out every character and the cursor at any width', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), fc.integer({ min: 4, max: 40 }), (text, columns) => {
        const editor = editorOf(text)
        const { lines, row, column } = layOutEditor(editor, columns)
        expect(textOf(lines).join('')).toBe(text.split('\n').map(harmless).join(''))
        expect(row).toBe(lines.length - 1)
        expect(column).toBeLessThan(columns)
      }),
    )
  })

  it('masks every character of a secret', () => {
    const { lines, column } = layOutEditor(press(editorOf('한글 secret'), 'left'), 20, { masked: true })
    expect(textOf(lines)).toEqual(['•••••••••'])
    expect(column).toBe(8)
  })
})

const named = ['left', 'right', 'up', 'down', 'home', 'end', 'backspace', 'delete', 'enter']

/** `left`, `^w` with Ctrl, `⌥b` with Alt, a letter, or a whole key. */
function press(editor: Editor, ...keys: (string | Key)[]): Editor {
  return keys.reduce<Editor>((now, one) => edit(now, typeof one === 'string' ? keyOf(one) : one) ?? now, editor)
}

function keyOf(one: string): Key {
  if (one.startsWith('^')) return key({ name: one.slice(1), ctrl: true })
  if (one.startsWith('⌥')) return key({ name: one.slice(1), alt: true })
  return named.includes(one) ? key({ name: one }) : key({ name: one, text: one })
}

function paste(text: string): Key {
  return key({ name: 'paste', text, pasted: true })
}

function screenOf(editor: Editor): string[] {
  return textOf(layOutEditor(editor, 80).lines)
}

function textOf(lines: ReturnType<typeof layOutEditor>['lines']): string[] {
  return lines.map(spans => spans.map(({ text }) => text).join(''))
}
