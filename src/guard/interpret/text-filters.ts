import { unknownText } from './arguments.ts'
import { unescapeText } from './decode.ts'

/** What `printf` writes. */
export function formatPrintf(format: string, args: readonly string[]): string {
  let i = 0
  const once = () =>
    unescapeText(format).replace(/%(?:%|[-+ #0-9.*]*([sbdiuoxXcqfeEgG]))/g, (whole, kind?: string) => {
      if (!kind) return '%'
      const arg = args[i++] ?? ''
      if (/[xXo]/.test(kind) && /^\d+$/.test(arg)) return Number(arg).toString(kind === 'o' ? 8 : 16)
      return kind === 'b' ? unescapeText(arg) : whole.endsWith('c') ? arg.slice(0, 1) : arg
    })
  let text = once()
  // printf repeats the format for the remaining arguments.
  for (let round = 0; round < 64 && i > 0 && i < args.length; round += 1) text += once()
  return text
}

/** What `rev` writes. */
export function reverseLines(text: string): string {
  return text
    .split('\n')
    .map(line => [...line].reverse().join(''))
    .join('\n')
}

/** What `tr` writes. */
export function translate(text: string, from: string, to: string): string {
  const [source, target] = [characters(from), characters(to)]
  if (!source || !target || target.length === 0 || text.length > 20_000) return unknownText
  const table = new Map(source.map((char, i) => [char, target[Math.min(i, target.length - 1)] ?? '']))
  return [...text].map(char => table.get(char) ?? char).join('')
}

function characters(set: string): string[] | null {
  if (/[[\]\\]/.test(set) || set.length > 500) return null
  return [...set.replace(/(.)-(.)/g, (_, first: string, last: string) => range(first, last))]
}

function range(first: string, last: string): string {
  const [from, to] = [first.charCodeAt(0), last.charCodeAt(0)]
  return to < from || to - from > 256
    ? first + last
    : String.fromCharCode(...Array.from({ length: to - from + 1 }, (_, i) => from + i))
}
