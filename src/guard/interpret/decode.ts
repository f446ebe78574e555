import { unknownText } from './arguments.ts'

/** Null if it is not base64. */
export function decodeBase64(text: string): string | null {
  const packed = text.replace(/\s+/g, '')
  if (packed.includes(unknownText) || !/^[A-Za-z0-9+/_-]+=*$/.test(packed)) return null
  return Buffer.from(packed, 'base64').toString('utf8')
}

export function decodeHex(text: string): string | null {
  const packed = text.replace(/\s+|0x/g, '')
  return /^([0-9a-f]{2})+$/i.test(packed) ? Buffer.from(packed, 'hex').toString('utf8') : null
}

/** Resolves the escapes of printf and `echo -e`. */
export function unescapeText(text: string): string {
  return text.replace(/\\(x[0-9a-fA-F]{1,2}|0?[0-7]{1,3}|u[0-9a-fA-F]{1,4}|[abefnrtv\\"'])/g, (_, found: string) => {
    const [kind = ''] = found
    if (kind === 'x' || kind === 'u') return String.fromCodePoint(Number.parseInt(found.slice(1), 16))
    if (/\d/.test(kind)) return String.fromCharCode(Number.parseInt(found, 8))
    return namedEscapes[kind] ?? kind
  })
}

const namedEscapes: Record<string, string> = {
  a: '\x07',
  b: '\b',
  e: '\x1b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
}
