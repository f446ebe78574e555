// Colour and cursor codes: CSI, OSC (titles, links) and the short ones. Each part stops at the next escape, so that
// matching stays linear whatever the bytes are.
const ansi = new RegExp(
  [
    '(?:\\u001b\\[|\\u009b)[0-?]*[ -/]*[@-~]',
    '\\u001b\\][^\\u0007\\u001b]*(?:\\u0007|\\u001b\\\\)',
    '\\u001b[ -/]*[0-~]',
  ].join('|'),
  'g',
)

/** The line as a person reads it: without colour codes and carriage returns. */
export function plainLine(line: string): string {
  const bare = line.includes('\u001b') || line.includes('\u009b') ? line.replaceAll(ansi, '') : line
  return bare.includes('\r') ? bare.replaceAll('\r', '') : bare
}
