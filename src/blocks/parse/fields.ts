export interface Fields {
  /** The value without the space around it; null where the field is absent or empty. */
  get(name: string): string | null
  /** What is wrong with the block as a whole. */
  problems: string[]
}

/**
 * Reads `name: value` lines. A name counts at the start of a line and only if it is a known one; every other line goes
 * on with the value before it.
 */
export function readFields(text: string, names: readonly string[]): Fields {
  const values = new Map<string, string[]>()
  const problems: string[] = []
  let current: string[] | null = null
  for (const line of text.split('\n')) {
    const field = fieldOf(line, names)
    if (field) {
      if (values.has(field.name)) problems.push(`${field.name}: is given twice`)
      current = [field.value]
      values.set(field.name, current)
    } else if (current) {
      current.push(line)
    } else if (line.trim() !== '') {
      problems.push(`The block begins with "${excerpt(line)}"; write a field, such as ${names[0]}: …`)
      current = []
    }
  }
  return { get: name => join(values.get(name) ?? []) || null, problems }
}

export function fieldOf(line: string, names: readonly string[]): { name: string; value: string } | null {
  const [, written = '', value = ''] = /^\s*([a-z_]+):(.*)$/is.exec(line) ?? []
  const name = written.toLowerCase()
  return names.includes(name) ? { name, value } : null
}

/** Of the lines that follow the first, what they are indented by in common is the block's layout and not the value's. */
function join([first = '', ...further]: readonly string[]): string {
  const indents = further.filter(line => line.trim() !== '').map(line => line.length - line.trimStart().length)
  const indent = indents.reduce((least, indent) => Math.min(least, indent), Number.POSITIVE_INFINITY)
  return [first, ...further.map(line => line.slice(Math.min(indent, line.length)).trimEnd())].join('\n').trim()
}

/** `"x"`, `'x'` or `“x”` as x: where a value is one word or label, people who write quotes mean what is in them. */
export function unquote(value: string): string {
  const quotes = `${value.at(0)}${value.at(-1)}`
  if (value.length < 2 || !['""', "''", '“”'].includes(quotes)) return value
  return (quotes === '""' && jsonText(value)) || value.slice(1, -1)
}

function jsonText(value: string): string | null {
  try {
    return String(JSON.parse(value))
  } catch {
    return null
  }
}

function excerpt(text: string): string {
  const line = text.trim().replaceAll(/\s+/g, ' ')
  return line.length > 60 ? `${line.slice(0, 60).toWellFormed()}…` : line
}
