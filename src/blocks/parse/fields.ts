export interface Fields {
  /** The trimmed value; null if the field is absent or empty. */
  get(name: string): string | null
  /** Problems of the block as a whole. */
  problems: string[]
}

/** Splits `name: value` lines. Only known names at the start of a line count; other lines continue the value before. */
export function splitFields(text: string, names: readonly string[]): Fields {
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
      problems.push(`The block begins with "${excerpt(line)}"; write a field first, such as ${names[0]}: …`)
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

/** Removes the common indentation of the lines after the first: it belongs to the block's layout, not to the value. */
function join([first = '', ...further]: readonly string[]): string {
  const indents = further.filter(line => line.trim() !== '').map(line => line.length - line.trimStart().length)
  const indent = indents.reduce((least, indent) => Math.min(least, indent), Number.POSITIVE_INFINITY)
  return [first, ...further.map(line => line.slice(Math.min(indent, line.length)).trimEnd())].join('\n').trim()
}

/** Removes the quotes of `"x"`, `'x'` or `“x”`, for values that are a single word or label. */
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
