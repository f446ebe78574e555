import { hash } from 'node:crypto'
import {
  type Attachment,
  type AttachmentInput,
  attachmentLimits,
  invalid,
  limits,
  type Problem,
} from '../../protocol/index.ts'
import { readPicture } from './read-picture.ts'

/** A file before it is stored: what it is by its bytes, whatever its name says. */
export interface PreparedFile extends Omit<Attachment, 'id'> {
  bytes: Uint8Array
}

/** What a request would carry. Refuses pictures that a screen could not hold, and more than fits together. */
export function prepareFiles(
  given: readonly AttachmentInput[],
  path = (i: number) => `attachments[${i}]`,
): PreparedFile[] {
  const files = given.map(prepareFile)
  const problems = files.flatMap((file, i) => pictureProblems(file, path(i)))
  if (problems.length > 0) throw invalid(problems)
  return files
}

/** Refuses a list of files that is too much for one request. */
export function refuseTooMuch(files: readonly { size: number }[]): void {
  const total = files.reduce((sum, { size }) => sum + size, 0)
  const refuse = (message: string) => invalid([{ path: 'attachments', message }])
  if (files.length > attachmentLimits.files) throw refuse(`are too many: at most ${attachmentLimits.files} files`)
  if (total > attachmentLimits.total) {
    throw refuse(`are too large: ${total} bytes together; the most is ${attachmentLimits.total / 1_048_576} MiB`)
  }
}

function prepareFile({ name, data }: AttachmentInput): PreparedFile {
  const bytes = typeof data === 'string' ? Buffer.from(data, 'base64') : data
  const { type, ...size } = readPicture(bytes) ?? { type: isText(bytes) ? 'text/plain' : 'application/octet-stream' }
  return { name: fileName(name), type, size: bytes.length, hash: hash('sha256', bytes, 'hex'), ...size, bytes }
}

function pictureProblems({ name, width = 0, height = 0 }: PreparedFile, path: string): Problem[] {
  const { side, pixels } = attachmentLimits
  if (width <= side && height <= side && width * height <= pixels) return []
  const most = `at most ${side} on a side and ${pixels / 1_000_000} million in all`
  return [{ path, message: `${JSON.stringify(name)} is ${width} × ${height} pixels: ${most}` }]
}

/** Without folders. It stays the asker's text, to be shown as such; what is saved under it is made safe there. */
function fileName(given: string): string {
  const name = given.slice(Math.max(given.lastIndexOf('/'), given.lastIndexOf('\\')) + 1).trim()
  return shorten(name === '' || name === '.' || name === '..' ? 'file' : name)
}

/** The end stays, which says what the file is. */
function shorten(name: string): string {
  if (name.length <= limits.name) return name
  const ending = /\.[\w-]{1,20}$/.exec(name)?.[0] ?? ''
  return `${name.slice(0, limits.name - ending.length)}${ending}`.toWellFormed()
}

function isText(bytes: Uint8Array): boolean {
  try {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: what has them is not text
    return !/[\0-\x08\x0e-\x1a\x1c-\x1f]/.test(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    return false
  }
}
