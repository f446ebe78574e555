import { describe, expect, it } from 'vitest'
import { formatFeedback, parseFeedback, withComment } from '../../src/form/review-feedback.ts'
import { parseDiff } from '../../src/text/diff.ts'

const files = parseDiff(`diff --git a/src/a.ts b/src/a.ts
--- a/src/a.ts
+++ b/src/a.ts
@@ -10,3 +10,3 @@ function top() {
 const one = 1
-const two = 2
+const two = 3\r
 
diff --git "a/b:1: \\"x\\".ts" "b/b:1: \\"x\\".ts"
new file mode 100644
--- /dev/null
+++ "b/b:1: \\"x\\".ts"
@@ -0,0 +1 @@
+${'y'.repeat(300)}
`)

const comments = [
  { path: 'b:1: "x".ts', line: 1, removed: false, text: 'Too long.\n\nReally:\n> nobody reads it' },
  { path: 'src/a.ts', line: 11, removed: false, text: 'Why three?' },
  { path: 'src/a.ts', line: 11, removed: true, text: 'It was right.' },
]

describe('the feedback of a review', () => {
  it('has the comments in the order of the diff, each with its line, and then the rest', () => {
    expect(formatFeedback({ comments, rest: 'Otherwise fine.' }, files)).toBe(
      [
        'src/a.ts:11 (removed): It was right.\n> const two = 2',
        'src/a.ts:11: Why three?\n> const two = 3',
        `b:1: "x".ts:1: Too long.\n\nReally:\n> nobody reads it\n> ${'y'.repeat(200)}…`,
        'Otherwise fine.',
      ].join('\n\n'),
    )
  })

  it.each(['', 'Fine.', '\n\nspaces ', 'src/a.ts:11: typed by hand', '> const two = 3'])(
    'is read back as it was written, with %j at its end',
    rest => {
      const written = formatFeedback({ comments, rest }, files)
      const read = parseFeedback(written, files)
      expect(read.rest).toBe(rest)
      expect(read.comments).toHaveLength(3)
      for (const comment of comments) expect(read.comments).toContainEqual(comment)
      expect(formatFeedback(read, files)).toBe(written)
    },
  )

  it('loses nothing of a text that is not about this diff', () => {
    const text = 'src/c.ts:4: gone\n> x\n\nsrc/a.ts:10: no quote\n'
    expect(parseFeedback(text, files)).toEqual({ comments: [], rest: text })
    expect(parseFeedback('anything', [])).toEqual({ comments: [], rest: 'anything' })
  })

  it('replaces the comment on a line, and removes it without a text', () => {
    const once = withComment({ comments: [], rest: '' }, { path: 'src/a.ts', line: 10, removed: false }, 'one')
    const twice = withComment(once, { path: 'src/a.ts', line: 10, removed: false }, 'two\n')
    expect(formatFeedback(twice, files)).toBe('src/a.ts:10: two\n\n> const one = 1')
    expect(withComment(twice, { path: 'src/a.ts', line: 10, removed: false }, ' ')).toEqual({ comments: [], rest: '' })
  })
})
