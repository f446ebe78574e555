import { crc32, deflateSync } from 'node:zlib'

// Pictures as programs write them, and as they should not be.

type Colour = readonly [red: number, green: number, blue: number]

/** A real PNG of any size. */
export function png(width: number, height: number, colourAt: (x: number, y: number) => Colour = () => [0, 128, 255]) {
  const rows = Buffer.alloc((width * 3 + 1) * height)
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) rows.set(colourAt(x, y), y * (width * 3 + 1) + 1 + x * 3)
  }
  return pngOf(width, height, deflateSync(rows))
}

/** A few bytes that promise this many pixels. */
export function pngBomb(width: number, height: number): Buffer {
  return pngOf(width, height, deflateSync(Buffer.alloc(10)))
}

function pngOf(width: number, height: number, data: Buffer): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2], 8)
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', data),
    chunk('IEND'),
  ])
}

function chunk(type: string, data: Buffer = Buffer.alloc(0)): Buffer {
  const body = Buffer.concat([Buffer.from(type), data])
  const whole = Buffer.alloc(body.length + 8)
  whole.writeUInt32BE(data.length, 0)
  whole.set(body, 4)
  whole.writeUInt32BE(crc32(body), body.length + 4)
  return whole
}

/** Three pixels wide and two high, as a browser encodes them. */
export const jpeg = Buffer.from(
  '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDABQODxIPDRQSEBIXFRQYHjIhHhwcHj0sLiQySUBMS0dARkVQWnNiUFVtVkVGZIhlbXd7gYKBTmCNl4x9lnN+gXz/2wBDARUXFx4aHjshITt8U0ZTfHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHz/wAARCAACAAMDASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAT/xAAUEAEAAAAAAAAAAAAAAAAAAAAA/8QAFAEBAAAAAAAAAAAAAAAAAAAABf/EABQRAQAAAAAAAAAAAAAAAAAAAAD/2gAMAwEAAhEDEQA/AJwD4F//2Q==',
  'base64',
)
export const losslessWebp = Buffer.from('UklGRhoAAABXRUJQVlA4TA0AAAAvAkAAEAcQERGIiP4HAA==', 'base64')
export const lossyWebp = riff(
  Buffer.from('VlA4ICwAAADQAQCdASoDAAIAA4BaJaACdLoB+AADsAD+3FH/8s+fw2ce//lKvBY3N8AAAA==', 'base64'),
)
/** The extended form, whose canvas says how large everything in it may be. */
export const extendedWebp = riff(Buffer.from('VlA4WAoAAAAAAAAAAgAAAQAA', 'base64'), lossyWebp.subarray(12))
export const gif = Buffer.from('R0lGODlhAwACAIAAAACA/wAAACH5BAAAAAAALAAAAAADAAIAAAIChF8AOw==', 'base64')

function riff(...chunks: Buffer[]): Buffer {
  const body = Buffer.concat(chunks)
  const head = Buffer.from('RIFF....WEBP')
  head.writeUInt32LE(body.length + 4, 4)
  return Buffer.concat([head, body])
}

export const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')
export const html = Buffer.from('<!doctype html><script>alert(document.cookie)</script>')
/** A GIF to its first bytes, a script to a page that would believe in it. */
export const scriptInGif = Buffer.concat([gif, Buffer.from('/*<script>alert(1)</script>*/=1;alert(1)')])
