/** One measurement, with its floor and goal if it has any. */
export interface Row {
  group: string
  name: string
  value: number
  unit: string
  /** The floor of the same database or machine, measured before and after. */
  floor?: number
  goal?: Goal
}

interface Goal {
  /** Whether the limits apply to the value or to its ratio to the floor. */
  of: 'value' | 'ratio'
  atLeast?: number
  atMost?: number
}

/** Several measurements per line, under columns of their own. */
export interface Grid {
  columns: string[]
  lines: GridLine[]
  /** Sentences below the table. */
  notes: string[]
}

export interface GridLine {
  group: string
  name: string
  cells: string[]
}

export function printTable(rows: readonly Row[]): void {
  const lines = rows.map(row => ({ ...row, cells: [figure(row), ratioText(row), goalText(row), verdict(row)] }))
  printLines(['measured', '× floor', 'goal', ''], lines, column => column <= 2)
}

export function printGrid({ columns, lines, notes }: Grid): void {
  printLines(columns, lines, () => true)
  if (notes.length > 0) process.stdout.write(`\n${notes.join('\n')}\n`)
}

function printLines(columns: string[], lines: readonly GridLine[], isRight: (column: number) => boolean): void {
  const cells = lines.map(line => [line.name, ...line.cells])
  const head = ['', ...columns]
  const widths = head.map((title, column) => Math.max(title.length, ...cells.map(line => line[column]?.length ?? 0)))
  print(head)
  lines.forEach((line, i) => {
    if (line.group !== lines[i - 1]?.group) process.stdout.write(`\n${line.group}\n`)
    print(cells[i] ?? [])
  })

  function print(line: readonly string[]) {
    const padded = line.map((cell, column) => {
      const width = widths[column] ?? 0
      return column > 0 && isRight(column) ? cell.padStart(width) : cell.padEnd(width)
    })
    process.stdout.write(`  ${padded.join('   ')}`.trimEnd().concat('\n'))
  }
}

export function printJson(rows: readonly Row[] | Grid): void {
  const found = 'columns' in rows ? rows : { rows: rows.map(row => ({ ...row, ratio: ratioOf(row), ok: isMet(row) })) }
  process.stdout.write(`${JSON.stringify({ machine: machine(), ...found }, null, 2)}\n`)
}

export function machine(): string {
  return `Node ${process.versions.node}, ${process.platform} ${process.arch}`
}

/** Null if no goal is set. */
function isMet(row: Row): boolean | null {
  if (!row.goal) return null
  const { of, atLeast = -Infinity, atMost = Infinity } = row.goal
  const measured = of === 'value' ? row.value : (ratioOf(row) ?? Number.NaN)
  return measured >= atLeast && measured <= atMost
}

function ratioOf({ value, floor }: Row): number | null {
  return floor ? value / floor : null
}

function figure({ value, unit }: Row): string {
  return `${number(value)} ${unit}`
}

/** With as many digits as its size deserves. */
export function number(value: number): string {
  const digits = value >= 100 ? 0 : value >= 10 ? 1 : 2
  return value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits })
}

function ratioText(row: Row): string {
  const ratio = ratioOf(row)
  return ratio === null ? '' : `${ratio.toFixed(2)} F`
}

function goalText({ goal, unit }: Row): string {
  if (!goal) return ''
  const measure = goal.of === 'ratio' ? 'F' : unit
  return goal.atLeast === undefined ? `≤ ${goal.atMost} ${measure}` : `≥ ${goal.atLeast} ${measure}`
}

function verdict(row: Row): string {
  const met = isMet(row)
  return met === null ? '' : met ? 'ok' : 'MISS'
}

export function median(values: readonly number[]): number {
  return percentile(values, 0.5)
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

/** Which parts of a benchmark to run; undefined means all. */
export interface Wanted {
  only?: string | undefined
  on?: string | undefined
  /** How many settled requests to measure the growth with, or how many nodes. */
  sizes?: string | undefined
  /** How many open requests to measure the growth with. */
  open?: string | undefined
  /** How many bytes pass through a run. */
  bytes?: string | undefined
  /** Whether to draw the picture of docs/speed.md. */
  draw?: boolean | undefined
}

export function isWanted(list: string | undefined, name: string): boolean {
  return list === undefined || list.toLowerCase().split(',').includes(name.toLowerCase())
}

export function progress(text: string): void {
  process.stderr.write(`${text}\n`)
}
