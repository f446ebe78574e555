import { PassThrough } from 'node:stream'
import { stripVTControlCharacters } from 'node:util'
import { expect, it } from 'vitest'
import { formatExplanation } from '../../src/cli/guard/format-explanation.ts'
import { classify, explain } from '../../src/guard/index.ts'
import { widthOf } from '../../src/text/width.ts'

const command =
  "git push --force origin 'アジャイル開発-한국어-브랜치-이름' && rm -rf ~/'👩‍👩‍👧‍👦 사진' && echo \u001b[2J\u202e"

it.each([24, 40, 80])('the explanation fits a terminal of %d columns, wide characters included', columns => {
  const lines = formatted({ isTTY: true, columns }).split('\n')
  expect(lines.length).toBeGreaterThan(12)
  for (const line of lines) expect(widthOf(stripVTControlCharacters(line)), line).toBeLessThanOrEqual(columns)
})

it('the explanation has colours only on a terminal that wants them, and no control character of the command', () => {
  expect(formatted({ isTTY: true, columns: 80 })).toContain('\u001b[31m')
  for (const text of [formatted({ isTTY: false }), formatted({ isTTY: true, columns: 80 }, { NO_COLOR: '1' })]) {
    for (const hidden of ['\u001b', '\u202e']) expect(text).not.toContain(hidden)
    expect(text).toContain('\\x1b')
  }
})

function formatted(stream: { isTTY: boolean; columns?: number }, env: NodeJS.ProcessEnv = {}): string {
  const classification = classify(command, { cwd: '/home/me/작업', home: '/home/me' })
  const stdout = Object.assign(new PassThrough(), stream)
  return formatExplanation({ ...classification, ...explain(classification) }, { stdout, env })
}
