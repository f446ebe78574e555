/** What a sed script does besides editing its input. */
export interface SedEffects {
  /** Commands of `e command`. */
  runs: string[]
  /** Whether it runs what it has edited: `s/…/…/e`, or `e` alone. */
  runsInput: boolean
  /** Files of `w file` and `s/…/…/w file`. */
  writes: string[]
}

/** Reads a sed script once, from the beginning to the end. */
export function readSedScript(script: string): SedEffects {
  const effects: SedEffects = { runs: [], runsInput: false, writes: [] }
  let at = 0
  while (at < script.length) {
    skip(/[\s;{}]/)
    skipAddress()
    if (script[at] === ',') {
      at += 1
      skipAddress()
    }
    skip(/[\s!{]/)
    readCommand()
  }
  return effects

  function skip(characters: RegExp) {
    while (at < script.length && characters.test(script[at] ?? '')) at += 1
  }

  /** A line number, `$`, `+3`, `/pattern/` or `\cpatternc`, with flags. */
  function skipAddress() {
    skip(/\s/)
    if (script[at] === '/') skipTo('/', at + 1)
    else if (script[at] === '\\') skipTo(script[at + 1] ?? '', at + 2)
    else return skip(/[\d$+~]/)
    skip(/[IM]/)
  }

  /** Goes behind the next one of this character that has no backslash. */
  function skipTo(delimiter: string, from: number) {
    for (at = from; at < script.length && script[at] !== delimiter; at += 1) if (script[at] === '\\') at += 1
    at += 1
  }

  function readCommand() {
    const command = script[at] ?? ''
    at += 1
    if (command === 's' || command === 'y') {
      const delimiter = script[at] ?? ''
      skipTo(delimiter, at + 1)
      skipTo(delimiter, at)
      if (command === 's') readFlags()
    } else if (command === 'e') {
      const code = restOfLine()
      if (code === '') effects.runsInput = true
      else effects.runs.push(code)
    } else if (command === 'w' || command === 'W') effects.writes.push(restOfLine())
    else if (/[aic]/.test(command)) while (restOfLine().endsWith('\\')) at += 1
    else if (/[rR]/.test(command)) restOfLine()
    else while (at < script.length && !/[;}\n]/.test(script[at] ?? '')) at += 1
  }

  function readFlags() {
    for (; at < script.length && /[gpiImMe\dw]/.test(script[at] ?? ''); at += 1) {
      if (script[at] === 'e') effects.runsInput = true
      if (script[at] !== 'w') continue
      at += 1
      effects.writes.push(restOfLine())
    }
  }

  function restOfLine(): string {
    const end = script.indexOf('\n', at)
    const rest = script.slice(at, end < 0 ? undefined : end)
    at = end < 0 ? script.length : end
    return rest.trim()
  }
}
