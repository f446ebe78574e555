import { unknownText } from '../interpret/arguments.ts'
import { decodeBase64, decodeHex } from '../interpret/decode.ts'

export function listOf(items: readonly string[]): string {
  return items.map(item => `\x01${item}`).join('')
}

export function joinedList(separator: string, list: string): string {
  return list.startsWith('\x01') ? list.slice(1).split('\x01').join(separator) : list
}

export function reversed(value: string): string {
  if (value.startsWith('\x01')) return listOf(value.slice(1).split('\x01').reverse())
  return [...value].reverse().join('')
}

/** Characters by their numbers, which are written out in the arguments. */
export function fromCodes(_args: readonly string[], sources: readonly string[]): string {
  const text = sources.join(',')
  if (!/^[\s[\](){},\w«»]*$/.test(text)) return unknownText
  const codes = text.match(/\b(?:0x[0-9a-fA-F]+|\d+)\b/g) ?? []
  if (codes.length === 0 || codes.length > 500) return unknownText
  return codes.map(code => String.fromCodePoint(Math.min(Number(code), 0x10ffff))).join('')
}

export function decoded(text: string, encoding: string): string {
  if (/^base64/i.test(encoding)) return decodeBase64(text) ?? unknownText
  if (/^hex/i.test(encoding)) return decodeHex(text) ?? unknownText
  if (/^rot.?13/i.test(encoding)) return rot13(text)
  return text
}

export function rot13(text: string): string {
  return text.replace(/[a-z]/gi, char => {
    const base = char <= 'Z' ? 65 : 97
    return String.fromCharCode(((char.charCodeAt(0) - base + 13) % 26) + base)
  })
}

/** `"{}/x".format(a)`, `sprintf("%s/x", a)`, `sprintf("%c%c", 114, 109)`. */
export function formatted(format: string, values: readonly string[], sources: readonly string[]): string {
  let next = 0
  return format.replace(/\{\w*\}|%[-\d.]*[sdcvq]/g, found => {
    const i = next++
    if (found.endsWith('c') && /^\s*\d+\s*$/.test(sources[i] ?? ''))
      return String.fromCodePoint(Number(sources[i]) % 0x10ffff)
    return values[i] ?? unknownText
  })
}
