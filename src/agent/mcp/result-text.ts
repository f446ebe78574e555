import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { CallToolResult } from './connection.ts'

interface Part {
  readonly type: string
  readonly text?: string
  readonly data?: string
  readonly mimeType?: string
  readonly uri?: string
  readonly name?: string
  readonly resource?: {
    readonly uri: string
    readonly text?: string
    readonly blob?: string
    readonly mimeType?: string
  }
}

/** A tool's result as the model reads it. Pictures and sounds are stored beside the conversation, and said. */
export function resultText(result: CallToolResult, outputFile: string): string {
  const parts = (Array.isArray(result.content) ? result.content : []) as Part[]
  const texts = parts.map((part, i) => partText(part, outputFile.replace(/\.txt$/, `-${i + 1}`)))
  if (texts.length === 0 && result.structuredContent !== undefined)
    return JSON.stringify(result.structuredContent, null, 2)
  return texts.join('\n') || '(no output)'
}

function partText({ type, text, data, mimeType, uri, name, resource }: Part, file: string): string {
  switch (type) {
    case 'text':
      return text ?? ''
    case 'image':
    case 'audio':
      return stored(type === 'image' ? 'picture' : 'sound', data ?? '', mimeType, file)
    case 'resource_link':
      return `(a link: ${name ?? ''} ${uri ?? ''})`
    case 'resource':
      if (resource?.text !== undefined) return `${resource.uri}:\n${resource.text}`
      return stored(`file, ${resource?.uri}`, resource?.blob ?? '', resource?.mimeType, file)
    default:
      return `(a ${type}, which cannot be shown here)`
  }
}

function stored(what: string, base64: string, mimeType = 'unknown type', file: string): string {
  const bytes = Buffer.from(base64, 'base64')
  const path = `${file}.${/^\w+\/([\w-]+)/.exec(mimeType)?.[1] ?? 'bin'}`
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  writeFileSync(path, bytes, { mode: 0o600 })
  return `(a ${what}, ${mimeType}, ${bytes.length} bytes; you cannot see it. It is stored in ${path})`
}
