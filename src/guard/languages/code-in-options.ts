import type { Analysis, Frame } from '../interpret/analysis.ts'
import { type Argument, literal } from '../interpret/arguments.ts'
import { decodeBase64 } from '../interpret/decode.ts'
import type { Language } from './language.ts'
import { readCode } from './read-code.ts'

/** Reads code in options that are meant to name a module: `perl '-Mbase;system("x")'`, `node --import data:text/javascript,…`. */
export function readCodeInOptions(
  language: Language,
  args: readonly Argument[],
  frame: Frame,
  analysis: Analysis,
): void {
  for (const arg of args) {
    const code = language === 'perl' ? afterModule(arg.value) : inAddress(arg.value)
    if (code !== null) readCode(language, literal(code, arg.span), { ...frame, depth: frame.depth + 1 }, analysis)
  }
}

/** perl writes `use NAME;` around what follows -M, so a semicolon begins another statement. */
function afterModule(option: string): string | null {
  return /^-[a-zA-Z]{0,5}[Mm]-?[\w:]+[^;]{0,200};(.*)$/s.exec(option)?.[1] ?? null
}

function inAddress(option: string): string | null {
  const [, isEncoded, text] =
    /^(?:--?[\w-]+[=\s]\s{0,9})?(?:\w+=)?data:[^,;]{0,60}(;base64)?(?:;[^,]{0,60})?,(.*)$/s.exec(option) ?? []
  if (text === undefined) return null
  return isEncoded
    ? decodeBase64(text)
    : text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
}
