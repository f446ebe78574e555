// File names are bytes. In this folder they are strings with one character per byte, which lose nothing and can be
// compared, sorted and used as keys. They become text only when they leave it.

export function fromBytes(bytes: Buffer): string {
  return bytes.toString('latin1')
}

export function toBytes(name: string): Buffer {
  return Buffer.from(name, 'latin1')
}

export function fromText(text: string): string {
  return Buffer.from(text).toString('latin1')
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** The name as text; one that is not UTF-8 is quoted with octal escapes, as git shows it. */
export function toText(name: string): string {
  try {
    return utf8.decode(toBytes(name))
  } catch {
    const escaped = name.replaceAll(/["\\]|[^ -~]/g, one =>
      one === '"' || one === '\\' ? `\\${one}` : `\\${one.charCodeAt(0).toString(8).padStart(3, '0')}`,
    )
    return `"${escaped}"`
  }
}

/** The path of a file of the tree, for file system calls. */
export function pathOf(root: string, name: string): Buffer {
  return Buffer.concat([Buffer.from(`${root}/`), toBytes(name)])
}

/** The names that a command printed with -z. */
export function splitNames(output: Buffer): string[] {
  return fromBytes(output).split('\0').slice(0, -1)
}

/** Names for a command that reads them with -z. */
export function joinNames(names: Iterable<string>): Buffer {
  return toBytes([...names].map(name => `${name}\0`).join(''))
}

/** `a` and `a/b` for `a/b/c`. */
export function foldersAbove(name: string): string[] {
  const parts = name.split('/')
  return parts.slice(1).map((_, i) => parts.slice(0, i + 1).join('/'))
}
