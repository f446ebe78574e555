/** What nobody should read, on a screen or in a log. */
const anywhere: Record<string, RegExp> = {
  'an id of a call': /toolu_|\bcall_\d/,
  'a value that was not formatted': /\bundefined\b|\[object |\bNaN\b/,
  'a control sequence': /[^\P{Cc}\t]|\\x1b/u,
}

const onScreen: Record<string, RegExp> = {
  ...anywhere,
  'a leftover of a prompt':
    /Enter (choose|send)|leave open|↑↓ move|asks in \/|^\S+ asks$|It wants to run|Why do you decline|Send these/,
  'a leftover of the moving lines': /[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]|tokens in|Esc to stop/,
  'a decision that is told twice': /AskUserQuestion|The user said no/,
}

/** What is wrong with the log of the run. */
export function faultsInLog(lines: readonly string[]): string[] {
  return matchesIn(lines, anywhere)
}

/** What is wrong with what a terminal shows and has shown. */
export function faultsOnScreen(lines: readonly string[]): string[] {
  const last = lines.findLastIndex(line => line !== '')
  const again = lines.flatMap((line, i) => {
    if (i === 0 || i > last || line !== lines[i - 1]) return []
    return [`${line === '' ? 'a gap' : 'a doubled line'} in ${around(lines, i)}`]
  })
  return [...matchesIn(lines, onScreen), ...again]
}

function matchesIn(lines: readonly string[], faults: Record<string, RegExp>): string[] {
  return lines.flatMap((line, i) => {
    const found = Object.entries(faults).filter(([, pattern]) => pattern.test(line))
    return found.map(([what]) => `${what} in ${around(lines, i)}`)
  })
}

function around(lines: readonly string[], i: number): string {
  return `line ${i + 1}:\n${lines.slice(Math.max(0, i - 3), i + 3).join('\n')}`
}

/** Where a text begins a line, behind the mark of that line. */
export function linesWith(lines: readonly string[], text: string): number[] {
  return lines.flatMap((line, i) =>
    line.replace(/^ *([●✗✔>] )?/u, '').startsWith(text) || line.startsWith(text) ? [i] : [],
  )
}
