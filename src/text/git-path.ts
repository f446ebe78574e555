const letters: Record<string, number> = { a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13, '"': 34, '\\': 92 }

/** A path as git prints it: one with unusual characters is in quotes, with its bytes as octal escapes. */
export function unquotePath(path: string): string {
  if (!/^".*"$/s.test(path)) return path
  const bytes: number[] = []
  for (const [part] of path.slice(1, -1).matchAll(/\\[0-7]{3}|\\.|[^\\]+/gs)) {
    if (!part.startsWith('\\')) bytes.push(...new TextEncoder().encode(part))
    else if (part.length === 4) bytes.push(Number.parseInt(part.slice(1), 8))
    else bytes.push(letters[part.slice(1)] ?? part.charCodeAt(1))
  }
  return new TextDecoder().decode(Uint8Array.from(bytes))
}
