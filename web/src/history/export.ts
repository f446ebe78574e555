import { titleOf } from '../../../src/core/title.ts'
import type { Request } from '../../../src/protocol/request.ts'
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
  ['note', request => request.outcome?.note ?? null],
  ['reason', request => request.outcome?.reason ?? null],
  ['by', request => request.outcome?.by ?? null],
  ['channel', request => request.outcome?.channel ?? null],
  ['created_at', request => request.createdAt],
  ['settled_at', request => request.settledAt],
  ['delivered_at', request => request.deliveredAt],
]

export function csvOf(requests: readonly Request[]): string {
  const rows = requests.map(request => columns.map(([, value]) => cell(value(request) ?? '')))
  return `${[columns.map(([name]) => name), ...rows].map(row => row.join(',')).join('\r\n')}\r\n`
}

/** A cell that a spreadsheet would take for a formula is text, and begins with an apostrophe. */
function cell(value: string): string {
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

export function download(name: string, type: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type }))
  const link = Object.assign(document.createElement('a'), { href: address, download: name })
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}
