import type { Request } from '../../../src/protocol/request.ts'
import { titleOf } from '../../../src/rules/title.ts'
import { valuesOf } from './values.ts'

const columns: readonly [string, (request: Request) => string | null][] = [
  ['id', request => request.id],
  ['run', request => request.run],
  ['kind', request => request.kind],
  ['status', request => request.status],
  ['agent', request => request.agent.name],
  ['cwd', request => request.agent.cwd],
  ['title', titleOf],
  ['value', request => valuesOf(request).join('\n')],
  ['edited', request => request.outcome?.edited ?? null],
  ['note', request => request.outcome?.note ?? null],
  ['reason', request => request.outcome?.reason ?? null],
  ['by', request => request.outcome?.by ?? null],
  ['channel', request => request.outcome?.channel ?? null],
  ['created_at', request => request.createdAt],
  ['settled_at', request => request.settledAt],
  ['delivered_at', request => request.deliveredAt],
  ['seconds', secondsTaken],
]

function secondsTaken({ createdAt, settledAt }: Request): string | null {
  return settledAt === null ? null : String((Date.parse(settledAt) - Date.parse(createdAt)) / 1_000)
}

/** With a mark at its start that tells spreadsheets how its letters are written. */
export function csvOf(requests: readonly Request[]): string {
  const rows = requests.map(request => columns.map(([, value]) => cell(value(request) ?? '')))
  return `\ufeff${[columns.map(([name]) => cell(name)), ...rows].map(row => row.join(',')).join('\r\n')}\r\n`
}

/**
 * What a spreadsheet would take for a formula is text, and begins with an apostrophe: also after a semicolon, a tab or a
 * line break, where one with another separator begins a new cell.
 */
function cell(value: string): string {
  const text = value.replaceAll(/(^|[;\t\r\n])(?=[\s";,]*[=+\-@＝＋－＠])/g, "$1'")
  return `"${text.replaceAll('"', '""')}"`
}
