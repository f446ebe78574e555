import type { Request } from '../../../src/protocol/request.ts'
import { editText } from '../../../src/rules/action-text.ts'
import { titleOf } from '../../../src/rules/title.ts'
import { answerValues } from './answer-values.ts'

const columns: readonly [string, (request: Request) => string | null][] = [
  ['id', request => request.id],
  ['run', request => request.run],
  ['kind', request => request.kind],
  ['status', request => request.status],
  ['agent', request => request.agent.name],
  ['cwd', request => request.agent.cwd],
  ['title', titleOf],
  ['value', request => answerValues(request).join('\n')],
  ['edited', request => (request.outcome?.edited ? editText(request.outcome.edited) : null)],
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

/** Starts with a byte order mark, which tells spreadsheets that it is UTF-8. */
export function toCsv(requests: readonly Request[]): string {
  const rows = requests.map(request => columns.map(([, value]) => cell(value(request) ?? '')))
  return `\ufeff${[columns.map(([name]) => cell(name)), ...rows].map(row => row.join(',')).join('\r\n')}\r\n`
}

/**
 * An apostrophe keeps a spreadsheet from reading a text as a formula. It is needed after a semicolon, a tab or a line
 * break too, because a spreadsheet with another separator starts a new cell there.
 */
function cell(value: string): string {
  const text = value.replaceAll(/(^|[;\t\r\n])(?=[\s";,]*[=+\-@＝＋－＠])/g, "$1'")
  return `"${text.replaceAll('"', '""')}"`
}
