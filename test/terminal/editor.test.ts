import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { edit, editorOf } from '../../src/terminal/editor.ts'
import { layOutEditor } from '../../src/terminal/editor-layout.ts'
import { key } from './key.ts'

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

  it('lays out every character and the cursor at any width', () => {
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
