// Escape sequences: CSI (colours, cursor), OSC (titles, links) and short ones. Each part stops at the next escape, so that
// matching is linear for any input.
const ansi = new RegExp(
  [
    '(?:\\u001b\\[|\\u009b)[0-?]*[ -/]*[@-~]',
    '\\u001b\\][^\\u0007\\u001b]*(?:\\u0007|\\u001b\\\\)',
    '\\u001b[ -/]*[0-~]',
  ].join('|'),
  'g',
)

/** The line as a person sees it: without escape sequences and carriage returns. */
export function plainLine(line: string): string {
  const bare = line.includes('\u001b') || line.includes('\u009b') ? line.replaceAll(ansi, '') : line
  return bare.includes('\r') ? bare.replaceAll('\r', '') : bare
}
