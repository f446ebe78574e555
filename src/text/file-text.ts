import type { Attachment } from '../protocol/attachment.ts'

/** One line about a file that came with a request: name, type, size. The name is the asker's, and hostile. */
export function fileText({ name, type, size, width, height }: Attachment): string {
  const pixels = width === undefined ? '' : `, ${width} × ${height}`
  return `${name} (${kindOf(type)}${pixels}, ${sizeText(size)})`
}

function kindOf(type: string): string {
  if (type.startsWith('image/')) return type.slice('image/'.length).toUpperCase()
  return type === 'text/plain' ? 'text' : 'file'
}

function sizeText(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`
  if (bytes < 1_000_000) return `${Math.round(bytes / 1_000)} kB`
  return `${(bytes / 1_000_000).toFixed(1)} MB`
}
