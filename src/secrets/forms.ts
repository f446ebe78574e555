// Shorter texts are hardly secrets, and hiding every "yes" or "80" would make the output unreadable.
const minimum = 4
// The lines of a secret are searched for one by one too; short ones ("}", "-----") occur everywhere.
const minimumLine = 8

/**
 * The forms in which programs print a secret: as it is, in base64, in URLs, in JSON and in shells. Each long line of a
 * multi-line secret counts too, because programs indent, number or wrap lines.
 */
export function formsOf(secret: string): Buffer[] {
  const whole = secret.toWellFormed().replace(/^[\r\n]+|[\r\n]+$/g, '')
  const lines = whole.split(/\r\n|\r|\n/)
  // A pseudo-terminal turns every line break into CR LF.
  const texts = lines.length === 1 ? lines : [whole, lines.join('\n'), lines.join('\r\n'), ...longLines(lines)]
  const forms = texts.filter(text => Buffer.byteLength(text) >= minimum).flatMap(encodings)
  return [...new Set(forms)].map(form => Buffer.from(form))
}

function longLines(lines: string[]): string[] {
  return lines.map(line => line.trim()).filter(line => Buffer.byteLength(line) >= minimumLine)
}

function encodings(text: string): string[] {
  return [text, ...base64(text), ...inUrls(text), ...inJson(text), ...inShells(text)]
}

/**
 * Alone, and among other bytes ("user:secret"), where it can begin at three positions of a group; then only the digits
 * count that encode no neighbouring byte.
 */
function base64(text: string): string[] {
  const bytes = Buffer.from(text)
  const among = [0, 1, 2].map(before => {
    const digits = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64')
    return digits.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6))
  })
  const forms = [bytes.toString('base64'), bytes.toString('base64url'), ...among]
  return forms.flatMap(form => [form, form.replaceAll('+', '-').replaceAll('/', '_')])
}

function inUrls(text: string): string[] {
  const component = encodeURIComponent(text)
  const strict = component.replace(/[!'()*~]/g, char => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)
  const form = new URLSearchParams({ '': text }).toString().slice(1)
  const forms = [encodeURI(text), component, strict, form]
  return forms.flatMap(form => [form, form.replace(/%[0-9A-F]{2}/g, code => code.toLowerCase())])
}

/** Escaped once and twice, because a tool's JSON is often a string in an agent's JSON. Also as printed in ASCII only. */
function inJson(text: string): string[] {
  const once = jsonText(text)
  const ascii = once.replace(/[^\0-\x7f]/g, char => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)
  return [once, ascii, jsonText(once), jsonText(ascii), once.replaceAll('/', '\\/')]
}

function jsonText(text: string): string {
  return JSON.stringify(text).slice(1, -1)
}

/** In single quotes (two styles), in double quotes, with backslashes (`printf %q`) and in `$'…'`. */
function inShells(text: string): string[] {
  return [
    text.replaceAll("'", "'\\''"),
    text.replaceAll("'", `'"'"'`),
    text.replace(/["$`\\]/g, '\\$&'),
    text.replace(/[^\w@%+=:,./\-\n\u0080-\uffff]/g, '\\$&'),
    text.replace(/['\\]/g, '\\$&').replaceAll('\n', '\\n').replaceAll('\t', '\\t').replaceAll('\r', '\\r'),
  ]
}
