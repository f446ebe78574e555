import type { Context } from '../context.ts'
import { print } from '../output/print.ts'

/** The link as a code for the camera of a phone; without a link, what it takes to get one. */
export async function printPhoneCode(context: Context, link: string | null): Promise<void> {
  if (link === null) {
    const how = 'To use it on a phone, start it with an address that the phone can reach: see --public-url.'
    return print(context.stdout, `${how}\n`)
  }
  const { encode } = await import('uqr')
  const code = drawCode(encode(link, { border: 2 }).data)
  const fits = (context.stdout.columns ?? 80) >= (code[0]?.length ?? 0)
  const what = 'To sign in a phone, scan this (once, within 5 minutes; it can answer, and not manage):'
  await print(context.stdout, fits ? `${what}\n${code.map(inBlackAndWhite).join('\n')}\n` : '')
}

/** Two rows of the code in a row of text: half blocks are about as wide as high. */
export function drawCode(rows: readonly (readonly boolean[])[]): string[] {
  const pairs = rows.flatMap((row, y) => (y % 2 === 0 ? [[row, rows[y + 1] ?? []] as const] : []))
  return pairs.map(([upper, lower]) =>
    upper.map((dark, x) => blocks[Number(dark) * 2 + Number(lower[x] ?? false)]).join(''),
  )
}

// Neither, the lower one, the upper one, both are dark.
const blocks = [' ', '▄', '▀', '█']

/** A camera needs dark on light, whatever the colours of the terminal. */
function inBlackAndWhite(line: string): string {
  return `\u001b[38;5;16;48;5;231m${line}\u001b[0m`
}
