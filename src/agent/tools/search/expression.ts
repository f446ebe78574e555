/** A regular expression in the syntax of ripgrep, as far as JavaScript's own has it. Throws if it is neither. */
export function readExpression(pattern: string, ignoreCase: boolean): RegExp {
  const [, leading = '', rest = pattern] = /^\(\?([ims]+)\)(.*)$/s.exec(pattern) ?? []
  const flags = [...new Set(`${leading}${ignoreCase ? 'i' : ''}`)].join('')
  const source = rest.replaceAll(
    /\\[\s\S]|\[\[:(\w+):\]\]/g,
    (found, name) => (name && classes[name]) || anchors[found] || found,
  )
  try {
    return new RegExp(source, `${flags}u`)
  } catch {
    // Without the flag, needless backslashes such as in \- or \" are allowed, as ripgrep allows them.
    return new RegExp(source, flags)
  }
}

const anchors: Record<string, string> = { '\\A': '^', '\\z': '$' }

const classes: Record<string, string> = {
  alnum: '[A-Za-z0-9]',
  alpha: '[A-Za-z]',
  digit: '[0-9]',
  lower: '[a-z]',
  punct: '[!-/:-@[-`{-~]',
  space: '\\s',
  upper: '[A-Z]',
  word: '\\w',
  xdigit: '[A-Fa-f0-9]',
}
