import type { Span } from '../shell/syntax-tree.ts'
import { type LookedFile, spanIn } from './looked-files.ts'

export interface Manifest {
  readonly scripts: ReadonlyMap<string, string>
  spanOf(name: string): Span
}

/** The scripts of package.json, deno.json or composer.json; none if it cannot be read. */
export function readManifest(file: LookedFile, field: string): Manifest {
  const scripts = new Map<string, string>()
  for (const [name, value] of Object.entries(objectAt(file.text, field))) {
    const text = textOf(value)
    if (text !== null) scripts.set(name, text)
  }
  return { scripts, spanOf }

  /** Where the script is written. */
  function spanOf(name: string): Span {
    const key = JSON.stringify(name)
    let at = file.text.indexOf(key, Math.max(0, file.text.indexOf(`"${field}"`)))
    while (at >= 0 && !/^\s{0,20}:/.test(file.text.slice(at + key.length, at + key.length + 24)))
      at = file.text.indexOf(key, at + 1)
    return spanIn(file, Math.max(0, at), Math.max(0, at) + key.length)
  }
}

/** Composer has lists of commands, Deno objects with a command. */
function textOf(value: unknown): string | null {
  if (typeof value === 'string') return value
  // A class and its method, in Composer, is not a command.
  if (Array.isArray(value)) return value.filter(one => typeof one === 'string' && !one.includes('::')).join('\n')
  if (typeof value === 'object' && value !== null && 'command' in value) return textOf(value.command)
  return null
}

function objectAt(text: string, field: string): object {
  try {
    const manifest: unknown = JSON.parse(text)
    if (typeof manifest !== 'object' || manifest === null) return {}
    const found: unknown = Reflect.get(manifest, field)
    return typeof found === 'object' && found !== null ? found : {}
  } catch {
    return {}
  }
}
