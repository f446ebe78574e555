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

export function printTable(rows: readonly Row[]): void {
  const cells = rows.map(row => [row.name, figure(row), ratioText(row), goalText(row), verdict(row)])
  const head = ['', 'measured', '× floor', 'goal', '']
  const widths = head.map((title, column) => Math.max(title.length, ...cells.map(line => line[column]?.length ?? 0)))
  print(head)
  rows.forEach((row, i) => {
    if (row.group !== rows[i - 1]?.group) process.stdout.write(`\n${row.group}\n`)
    print(cells[i] ?? [])
  })

  function print(line: readonly string[]) {
    const padded = line.map((cell, column) => {
      const width = widths[column] ?? 0
      return column === 0 || column > 2 ? cell.padEnd(width) : cell.padStart(width)
    })
    process.stdout.write(`  ${padded.join('   ')}`.trimEnd().concat('\n'))
  }
}

export function printJson(rows: readonly Row[]): void {
  const documents = rows.map(row => ({ ...row, ratio: ratioOf(row), ok: isMet(row) }))
  process.stdout.write(`${JSON.stringify({ machine: machine(), rows: documents }, null, 2)}\n`)
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
  const digits = value >= 100 ? 0 : value >= 10 ? 1 : 2
  return `${value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits })} ${unit}`
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
}

export function isWanted(list: string | undefined, name: string): boolean {
  return list === undefined || list.toLowerCase().split(',').includes(name.toLowerCase())
}

export function progress(text: string): void {
  process.stderr.write(`${text}\n`)
}
