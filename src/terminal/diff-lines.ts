import { type DiffFile, type DiffLine, parseDiff } from '../text/diff.ts'
import { harmless } from '../text/harmless.ts'
import { type Line, line, type Style } from '../text/styled.ts'
import { chop, wrap } from '../text/wrap.ts'

/** A unified diff for a terminal: each file with its counts, then its lines with their numbers. */
export function diffLines(diff: string, columns: number): Line[] {
  return parseDiff(diff).flatMap(file => [line(''), ...wrap(fileHead(file), columns, 2), ...fileLines(file, columns)])
}

function fileHead({ path, from, status, binary, added, removed }: DiffFile): Line {
  const name = from === null ? harmless(path) : `${harmless(from)} → ${harmless(path)}`
  const facts = [...(status === 'changed' ? [] : [status]), ...(binary ? ['binary'] : [])]
  return [
    ...line(name, 'bold'),
    ...diffCounts({ added, removed }),
    ...line(facts.map(fact => `  ${fact}`).join(''), 'dim'),
  ]
}

export function diffCounts({ added, removed }: Pick<DiffFile, 'added' | 'removed'>): Line {
  return [...line(`  +${added}`, 'green'), ...line(` −${removed}`, 'red')]
}

const styles: Partial<Record<DiffLine['kind'], Style>> = { added: 'green', removed: 'red', hunk: 'cyan', note: 'dim' }
const signs: Partial<Record<DiffLine['kind'], string>> = { added: '+', removed: '-', same: ' ' }

/** The lines of one file, with their numbers. */
export function fileLines({ lines }: Pick<DiffFile, 'lines'>, columns: number): Line[] {
  const digits = String(Math.max(0, ...lines.map(({ before, after }) => after ?? before ?? 0))).length
  return lines.flatMap(({ kind, text, before, after }) => {
    const sign = signs[kind]
    const number = sign === undefined ? '' : String(after ?? before ?? '')
    const shown = `${sign ?? ''}${harmless(text.replaceAll('\t', '  '))}`
    const style = styles[kind]
    return chop(style ? line(shown, style) : line(shown), Math.max(10, columns - digits - 3)).map((part, i) => [
      ...line(`  ${(i === 0 ? number : '').padStart(digits)} `, 'dim'),
      ...part,
    ])
  })
}
