import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { edit, editorOf } from '../../src/terminal/editor.ts'
import { layOutEditor } from '../../src/terminal/editor-layout.ts'
import { key } from './key.ts'

describe('writing', () => {
  it('takes a syllable, an accent or a family for one step', () => {
    for (const one of ['한', 'e\u0301', '👩‍👩‍👧']) {
      const written = editorOf(`a${one}`)
      expect(edit(written, key({ name: 'left' }))?.at).toBe(1)
      expect(edit(written, key({ name: 'backspace' }))?.text).toBe('a')
    }
  })

  it('moves between lines and tells when there is none', () => {
    const written = editorOf('first\nsecond')
    const above = edit(written, key({ name: 'up' }))
    expect(above?.at).toBe(5)
    expect(above && edit(above, key({ name: 'up' }))).toBeNull()
    expect(edit(written, key({ name: 'down' }))).toBeNull()
  })

  it('writes a line break on Ctrl-J, Alt-Enter and in a paste, and on nothing else', () => {
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

  it('shows every letter, and the cursor where it is, at any width', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), fc.integer({ min: 4, max: 40 }), (text, columns) => {
        const { lines, row, column } = layOutEditor(text, text.length, columns)
        expect(lines.join('')).toBe(text.replaceAll('\n', ''))
        expect(row).toBe(lines.length - 1)
        expect(column).toBeLessThanOrEqual(columns)
      }),
    )
  })
})
