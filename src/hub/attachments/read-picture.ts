import type { PictureType } from '../../protocol/index.ts'

export interface Picture {
  type: PictureType
  width: number
  height: number
}

/**
 * What kind of picture the bytes are, and its size in pixels by its header; null where they are none of ours, or end
 * before they say. A name or a claimed type counts for nothing: SVG and HTML are never pictures here.
 */
export function readPicture(bytes: Uint8Array): Picture | null {
  const data = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  try {
    return readPng(data) ?? readGif(data) ?? readWebp(data) ?? readJpeg(data)
  } catch (error) {
    // The header goes on behind the end.
    if (error instanceof RangeError) return null
    throw error
  }
}

function readPng(data: DataView): Picture | null {
  if (!startsWith(data, 0, '\x89PNG\r\n\x1a\n') || !startsWith(data, 12, 'IHDR')) return null
  return picture('image/png', data.getUint32(16), data.getUint32(20))
}

/** Browsers enlarge the screen to a first frame that does not fit into it. */
function readGif(data: DataView): Picture | null {
  if (!startsWith(data, 0, 'GIF87a') && !startsWith(data, 0, 'GIF89a')) return null
  const frame = firstFrame(data)
  if (frame === null) return null
  const end = (at: number) => data.getUint16(frame + at, true) + data.getUint16(frame + at + 4, true)
  return picture('image/gif', Math.max(data.getUint16(6, true), end(1)), Math.max(data.getUint16(8, true), end(3)))
}

/** Where the first frame begins, behind the palette and any number of extensions. */
function firstFrame(data: DataView): number | null {
  const flags = data.getUint8(10)
  let at = 13 + (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0)
  while (data.getUint8(at) === 0x21) {
    at += 2
    while (data.getUint8(at) > 0) at += 1 + data.getUint8(at)
    at += 1
  }
  return data.getUint8(at) === 0x2c ? at : null
}

/** Three forms: lossy, lossless, and extended with a canvas that everything in it fits into. */
function readWebp(data: DataView): Picture | null {
  if (!startsWith(data, 0, 'RIFF') || !startsWith(data, 8, 'WEBP')) return null
  if (startsWith(data, 12, 'VP8X')) return picture('image/webp', uint24(data, 24) + 1, uint24(data, 27) + 1)
  if (startsWith(data, 12, 'VP8L')) {
    const bits = data.getUint32(21, true)
    return data.getUint8(20) === 0x2f ? picture('image/webp', (bits & 0x3fff) + 1, ((bits >> 14) & 0x3fff) + 1) : null
  }
  if (!startsWith(data, 12, 'VP8 ') || !startsWith(data, 23, '\x9d\x01\x2a')) return null
  return picture('image/webp', data.getUint16(26, true) & 0x3fff, data.getUint16(28, true) & 0x3fff)
}

/** The size is in the frame header, behind any number of other segments. */
function readJpeg(data: DataView): Picture | null {
  if (!startsWith(data, 0, '\xff\xd8\xff')) return null
  for (let at = 2; ; ) {
    if (data.getUint8(at) !== 0xff) return null
    const marker = data.getUint8(at + 1)
    // Any number of fill bytes may stand before a marker.
    if (marker === 0xff) at += 1
    else if (isAlone(marker)) at += 2
    else if (isFrameHeader(marker)) return picture('image/jpeg', data.getUint16(at + 7), data.getUint16(at + 5))
    else if (marker === startOfScan || marker === endOfImage) return null
    else at += 2 + Math.max(2, data.getUint16(at + 2))
  }
}

const startOfScan = 0xda
const endOfImage = 0xd9

/** Markers without a segment: TEM, RST0 to RST7 and SOI. A length read behind one of them would skip the frame header. */
function isAlone(marker: number): boolean {
  return marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)
}

/** C4, C8 and CC are tables, not frames. */
function isFrameHeader(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
}

/** A picture of no width or height shows nothing. */
function picture(type: PictureType, width: number, height: number): Picture | null {
  return width > 0 && height > 0 ? { type, width, height } : null
}

function startsWith(data: DataView, at: number, text: string): boolean {
  if (at + text.length > data.byteLength) return false
  for (let i = 0; i < text.length; i += 1) if (data.getUint8(at + i) !== text.charCodeAt(i)) return false
  return true
}

function uint24(data: DataView, at: number): number {
  return data.getUint8(at) | (data.getUint8(at + 1) << 8) | (data.getUint8(at + 2) << 16)
}
