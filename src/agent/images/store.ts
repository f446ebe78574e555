import { hash } from 'node:crypto'
import { closeSync, constants, existsSync, fstatSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { KeptImage } from '../journal/entries.ts'
import { imagesNamedIn } from './named.ts'

// As base64 it is just what the strictest provider takes: 5 MB.
const maxBytes = 3_750_000
const maxImages = 20

/** An image that a message named: it is sent with it, or `why` says why not. */
export interface TakenImage {
  readonly path: string
  readonly bytes: number
  readonly why: string | null
}

/**
 * Copies the images that a message names into the conversation's folder, by their content: a file that is changed or
 * deleted later does not change what was said. They are on the disk before the message is.
 */
export function takeImages(text: string, cwd: string, folder: string): { kept: KeptImage[]; taken: TakenImage[] } {
  const kept: KeptImage[] = []
  const taken: TakenImage[] = []
  for (const { path, isAsked } of imagesNamedIn(text, cwd)) {
    const read = kept.length < maxImages ? readImage(path) : { why: `a message has at most ${maxImages} images` }
    if ('why' in read) {
      if (read.why !== missing || isAsked) taken.push({ path, bytes: 0, why: read.why })
      continue
    }
    const { bytes, mediaType } = read
    const file = `${hash('sha256', bytes)}.${mediaType.slice('image/'.length)}`
    mkdirSync(join(folder, 'images'), { recursive: true, mode: 0o700 })
    if (!existsSync(join(folder, 'images', file)))
      writeFileSync(join(folder, 'images', file), bytes, { mode: 0o600, flush: true })
    kept.push({ file, mediaType, name: basename(path).toWellFormed() })
    taken.push({ path, bytes: bytes.length, why: null })
  }
  return { kept, taken }
}

/** The content of a kept image in base64; null where somebody deleted it. */
export function loadImage(folder: string, { file }: KeptImage): string | null {
  try {
    return readFileSync(join(folder, 'images', basename(file))).toString('base64')
  } catch {
    return null
  }
}

const missing = 'it does not exist'

function readImage(path: string): { bytes: Buffer; mediaType: string } | { why: string } {
  let file: number
  try {
    // Not to wait for a pipe that has this name.
    file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return { why: code === 'ENOENT' || code === 'ENOTDIR' ? missing : 'it cannot be read' }
  }
  try {
    const stat = fstatSync(file)
    if (!stat.isFile()) return { why: 'it is not a regular file' }
    if (stat.size > maxBytes)
      return { why: `it has ${megabytes(stat.size)} MB, and ${megabytes(maxBytes)} are possible` }
    const bytes = readFileSync(file)
    const mediaType = mediaTypeOf(bytes)
    return mediaType ? { bytes, mediaType } : { why: 'it is not a PNG, JPEG, GIF or WebP image' }
  } catch {
    return { why: 'it cannot be read' }
  } finally {
    closeSync(file)
  }
}

/** By its first bytes: providers refuse an image that is not what its name says. */
function mediaTypeOf(bytes: Buffer): string | null {
  const start = bytes.toString('latin1', 0, 12)
  if (start.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png'
  if (start.startsWith('\xff\xd8\xff')) return 'image/jpeg'
  if (/^GIF8[79]a/.test(start)) return 'image/gif'
  return start.startsWith('RIFF') && start.slice(8) === 'WEBP' ? 'image/webp' : null
}

function megabytes(bytes: number): string {
  return (bytes / 1_000_000).toFixed(2)
}
