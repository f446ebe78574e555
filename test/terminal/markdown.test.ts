import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { renderMarkdown } from '../../src/terminal/markdown/markdown.ts'
import { paint } from '../../src/terminal/paint.ts'
import { widthOf } from '../../src/text/width.ts'

const shown = (source: string, columns = 60) => renderMarkdown(source, columns).map(line => paint(line, false))
const spans = (source: string) => renderMarkdown(source, 60).flat()

// Any text, with more Markdown and more of what terminals act on than chance would bring.
const pieces = [
  ...[
    '# ',
    '- ',
    '1. ',
    '> ',
    '- [x] ',
    '**',
    '*',
    '_',
    '~~',
    '`',
    '```',
    '```diff\n',
    '| a | 한국 |\n|---|:-:|\n| b |',
  ],
  ...['[a](', 'http://a.b', ')', '![', ']', '[a]: b\n', '<b>', '<!--', '&amp;', '&#27;', '&#x202e;', '&#8203;', '&lt;'],
  ...[
    '\n',
    '\n\n',
    '  \n',
    '    ',
    '\t',
    '\\',
    '---\n',
    '===\n',
    'words in a row ',
    '한국어 문장',
    '漢字',
    '👩‍👩‍👧‍👦',
    'e\u0301',
  ],
  ...[
    '\x1b[2J',
    '\x1b]8;;http://a.b\x07',
    '\x9b',
    '\u202e',
    '\u2066',
    '\u200b',
    '\u200d',
    '\ufe0f',
    '\ud83d',
    '\r',
    '\0',
  ],
]
const sources = fc
  .array(fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...pieces) }, fc.string({ unit: 'binary' })), {
    maxLength: 40,
  })
  .map(parts => parts.join(''))

describe('any source', () => {
  it('renders any source without anything that a terminal acts on', () => {
    const acted = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\ufe00-\ufe0f]/v
    fc.assert(
      fc.property(sources, source => {
        for (const line of shown(source)) expect(line.replaceAll(/\p{RGI_Emoji}/gv, '')).not.toMatch(acted)
      }),
      { numRuns: 1_000 },
    )
  })

  it('fits any source into the columns', () => {
    fc.assert(
      fc.property(sources, fc.integer({ min: 20, max: 200 }), (source, columns) => {
        for (const line of shown(source, columns)) expect(widthOf(line), line).toBeLessThanOrEqual(columns)
      }),
      { numRuns: 1_000 },
    )
  })

  it('keeps all words of any source', () => {
    const words = fc.array(fc.tuple(fc.constantFrom(...pieces), fc.integer({ min: 100, max: 999 })), { maxLength: 30 })
    fc.assert(
      fc.property(words, parts => {
        const source = parts.map(([piece, word]) => `${piece} w${word}w `).join('')
        const everything = renderMarkdown(source, 10_000)
          .map(line => paint(line, false))
          .join('\n')
        for (const [, word] of parts) expect(everything).toContain(`w${word}w`)
      }),
    )
  })

  it.each([0, -3, 1, 2, Number.NaN, Number.POSITIVE_INFINITY])('renders in %d columns', columns => {
    const source = '# t\n\n> - 1. a\n\n---\n\n|a|b|\n|-|-|\n|c|d|\n\n```\nx y\n```'
    const everything = shown(source, columns).join('').replaceAll(/\s/g, '')
    for (const letter of 'tabcdxy') expect(everything).toContain(letter)
  })
})

describe('a paragraph', () => {
  it('wraps paragraphs, and keeps only explicit line breaks', () => {
    expect(shown('one\ntwo three  \nfour', 10)).toEqual(['one two', 'three', 'four'])
  })

  it('applies the styles of emphasis, code and strikethrough', () => {
    expect(spans('a **b *c* ** ~~d~~ **e *f*** `g &amp;`')).toEqual(
      expect.arrayContaining([
        { text: 'd', styles: ['strikethrough'] },
        { text: 'e ', styles: ['bold'] },
        { text: 'f', styles: ['bold', 'italic'] },
        { text: 'g &amp;', styles: ['cyan'] },
      ]),
    )
  })

  it('decodes entities once and shows hidden characters in them', () => {
    expect(shown('a &lt;b&gt; &amp;lt; &#65; &unknown; &#27;[31m &#x202e; &#0; \\&amp;')).toEqual([
      'a <b> &lt; A &unknown; \\x1b[31m \\u202e � &amp;',
    ])
  })

  it('shows HTML as it was written', () => {
    expect(shown('a <b onclick="x">b</b>\n\n<div>\n  &amp;\n</div>')).toEqual([
      'a <b onclick="x">b</b>',
      '',
      '<div>',
      '  &amp;',
      '</div>',
    ])
  })
})

describe('a link', () => {
  it.each([
    ['[text](http://a.b)', 'text (http://a.b)'],
    ['[http://good.example](http://evil.example)', 'http://good.example (http://evil.example)'],
    ['[http://a.b](http://a.b)', 'http://a.b'],
    ['<http://a.b?c&lt;d> http://e.f me@g.h', 'http://a.b?c&lt;d http://e.f me@g.h'],
    ['[t](a?b&amp;c "title")', 't (a?b&c "title")'],
    ['[](http://a.b)', '(http://a.b)'],
    ['[t](<a\u202eb&#8203;>)', 't (a\\u202eb\\u200b)'],
    ['![an *alt*](i.png)', '[image: an *alt*] (i.png)'],
  ])('shows where the link %j leads', (source, line) => {
    expect(shown(source)).toEqual([line])
  })

  it('shows the target of a reference link and its definition', () => {
    expect(shown('[t][r]\n\n[r]: http://a.b\n\n[//]: # (hidden)')).toEqual([
      't (http://a.b)',
      '',
      '[r]: http://a.b',
      '',
      '[//]: # (hidden)',
    ])
  })
})

describe('blocks', () => {
  it('separates blocks by an empty line, with none around them', () => {
    expect(shown('\n\n# One\ntext\n\n\n## Two\n***\n#\n\n```\n```\n\n')).toEqual([
      'One',
      '',
      'text',
      '',
      'Two',
      '',
      '─'.repeat(40),
    ])
    expect(shown('')).toEqual([])
  })

  it('renders headings in bold, and the first level underlined', () => {
    expect(spans('# One *a*')).toEqual([
      { text: 'One ', styles: ['bold', 'underline'] },
      { text: 'a', styles: ['bold', 'underline', 'italic'] },
    ])
    expect(spans('## Two')).toEqual([{ text: 'Two', styles: ['bold'] }])
  })

  it('keeps numbers, nesting and checkboxes of lists, with hanging indents', () => {
    expect(shown('7. seven\n8. eight and more\n   - [ ] to do it all\n   - [x] done', 16)).toEqual([
      '7. seven',
      '8. eight and',
      '   more',
      '   - [ ] to do',
      '     it all',
      '   - [x] done',
    ])
  })

  it('separates the items of a loose list without trailing spaces', () => {
    expect(shown('- a\n\n  b\n- [x] c')).toEqual(['- a', '', '  b', '', '- [x] c'])
  })

  it('draws a dim bar at every line of a quote', () => {
    expect(shown('> one two three\n>\n> > four\n> - five', 12)).toEqual([
      '│ one two',
      '│ three',
      '│ ',
      '│ │ four',
      '│ ',
      '│ - five',
    ])
    expect(spans('> a')[0]).toEqual({ text: '│ ', styles: ['dim'] })
  })

  it('puts blocks nested too deeply below their markers', () => {
    const lines = shown(`${'> '.repeat(12)}some words to read`, 20)
    expect(lines.join('\n')).toContain('words to')
    expect(lines.join('').replaceAll(/[^│]/g, '').length).toBeGreaterThanOrEqual(12)
  })
})

describe('code', () => {
  it('indents code, keeps its spaces and breaks it at the edge', () => {
    expect(shown('```ts\nif (a)  return  b\n\n\tc(\x1b)\n```', 12)).toEqual([
      'ts',
      '  if (a)  re',
      '  turn  b',
      '',
      '    c(\\x1b)',
    ])
  })

  it('shows the whole info string above code', () => {
    expect(renderMarkdown('```ts src/a.ts\u202e\na\n```', 60)).toEqual([
      [{ text: 'ts src/a.ts\\u202e', styles: ['dim'] }],
      [{ text: '  ' }, { text: 'a' }],
    ])
  })

  it.each(['diff', 'patch', 'Diff a/b.ts'])('colours code in the language %j', language => {
    expect(spans(`\`\`\`${language}\n@@ -1 +1 @@\n-old\n+new\n same\n\`\`\``)).toEqual(
      expect.arrayContaining([
        { text: '@@ -1 +1 @@', styles: ['cyan'] },
        { text: '-old', styles: ['red'] },
        { text: '+new', styles: ['green'] },
        { text: ' same' },
      ]),
    )
  })

  it('does not colour code in other languages', () => {
    expect(spans('```ts\n-1\n```')).toContainEqual({ text: '-1' })
  })
})

describe('a table', () => {
  const table = '| 이름 | n | note |\n|---|--:|:-:|\n| 한국어 | 1 | **b** |\n| a | 22 | 漢字 |'

  it('aligns table columns by their visible width', () => {
    expect(shown(table)).toEqual(['이름     n  note', '──────  ──  ────', '한국어   1   b  ', 'a       22  漢字'])
  })

  it('shows a table that does not fit row by row', () => {
    expect(shown(table, 12)).toEqual(['이름: 한국어', 'n: 1', 'note: b', '', '이름: a', 'n: 22', 'note: 漢字'])
    expect(shown('| long name | other |\n|---|---|', 10)).toEqual(['long name', 'other'])
    expect(shown('| | b |\n|---|---|\n| a long value | c |', 10)).toEqual(['a long', '  value', 'b: c'])
  })

  it('shows a table as it was written if a row has more cells than the header', () => {
    const source = '| a | b |\n|---|---|\n| c | d | hidden |'
    expect(shown(source)).toEqual(source.split('\n'))
    expect(shown('| a |\n|---|\n| c \\| d |')).toEqual(['a    ', '─────', 'c | d'])
  })
})

describe('a source over the limits', () => {
  it('cuts a source that is too long, and says so', () => {
    const lines = renderMarkdown('# a\n\n'.padEnd(200_003, 'x'), 100)
    expect(lines.at(0)).toEqual([{ text: 'a', styles: ['bold', 'underline'] }])
    expect(lines.at(-1)).toEqual([{ text: '… (3 more characters)', styles: ['dim'] }])
    expect(shown(`${'x'.repeat(199_999)}👩 and`, 100).slice(-2)).toEqual(['x'.repeat(99), '… (6 more characters)'])
    expect(shown('x'.repeat(200_000), 100)).toHaveLength(2_000)
  })

  // Each of these costs seconds or minutes, all memory or the whole stack, if Marked is left alone with it.
  it.each([
    ['quotes in quotes', '>'.repeat(10_000), '>>>>'],
    ['list items in list items', '1. '.repeat(10_000), '1. 1. 1.'],
    ['task items', '- [ ] a\n'.repeat(25_000), '- [ ] a'],
    ['lazy quotes', '> a\nb\n'.repeat(30_000), '> a'],
    ['emphasis that never ends', '_a*'.repeat(60_000), '_a*_a*'],
    ['table columns', `${'|a'.repeat(20_000)}\n${'|-'.repeat(20_000)}\n${'x\n'.repeat(50_000)}`, '|a|a'],
    ['table names', `|${'h'.repeat(50_000)}|\n|-|\n${'x\n'.repeat(50_000)}`, '|hhhh'],
    ['tables', '|\n|-|\n'.repeat(33_000), '|'],
    ['underlines, with old line breaks', '--\r'.repeat(60_000), '--'],
    ['lines of a list item', '1. (\n<'.repeat(33_000), '1. ('],
    ['uses of a long link', `[a]: ${'u'.repeat(100_000)}\n\n${'[a]'.repeat(30_000)}`, '[a]:'],
    ['exclamation marks', '!'.repeat(200_000), '!!!!'],
  ])('shows a source that is too hard to parse as it was written: %s', (_, source, beginning) => {
    expect(shown(source, 80)[0]?.slice(0, beginning.length)).toBe(beginning)
  })
})
