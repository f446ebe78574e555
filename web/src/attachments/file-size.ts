import { locale } from '../words/translate.ts'

/** In the reader's way of writing numbers. */
export function fileSize(bytes: number): string {
  const [value, unit] =
    bytes < 1_000 ? [bytes, 'byte'] : bytes < 1e6 ? [bytes / 1e3, 'kilobyte'] : [bytes / 1e6, 'megabyte']
  const digits = unit === 'megabyte' ? 1 : 0
  return new Intl.NumberFormat(locale(), {
    style: 'unit',
    unit,
    unitDisplay: unit === 'byte' ? 'long' : 'short',
    maximumFractionDigits: digits,
  }).format(value)
}
