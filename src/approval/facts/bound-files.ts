import { hash } from 'node:crypto'
import { realpathSync } from 'node:fs'
import { isSecretPath } from '../../guard/secret-paths.ts'
import { type Facts, factLimits } from '../../protocol/facts.ts'
import type { Hmac } from './hmac.ts'
import { decodeText, readOnce } from './read-file.ts'
import { looksSecret } from './secret-values.ts'

type BoundFile = Facts['files'][number]

// After this much was read, files are identified by size and times.
const maxBytesOfAll = 256 << 20

/** The files that an action is bound to. Each is read once: what is hashed is what is shown. */
export class BoundFiles {
  readonly #files = new Map<string, BoundFile>()
  readonly #hmac: Hmac
  #bytes = 0
  #characters = 0
  /** More files than can be bound. */
  isFull = false

  constructor(hmac: Hmac) {
    this.#hmac = hmac
  }

  /** Binds a file if there is one. */
  addData(path: string): boolean {
    return this.#add(path) !== null
  }

  /** Binds a file that is run, shows it if it can be shown, and returns its text. A missing file is bound as missing. */
  addCode(path: string): string | null {
    const content = this.#add(path)
    if (content === null) {
      if (isUsable(path) && !this.#files.has(path)) this.#put({ path, hash: 'missing' })
      return null
    }
    const text = content.length <= maxReadAsCode ? decodeText(content) : null
    const file = this.#files.get(path)
    if (file && file.text === undefined && text !== null && this.#mayShow(path, text)) {
      this.#characters += text.length
      this.#files.set(path, { ...file, text })
    }
    return text
  }

  list(): BoundFile[] {
    return [...this.#files.values()].toSorted((a, b) => (a.path < b.path ? -1 : 1))
  }

  /** The content; null where there is no file. A link counts with its target: neither may change. */
  #add(path: string): Buffer | null {
    if (!isUsable(path)) return null
    if (this.#files.size >= factLimits.files && !this.#files.has(path)) {
      this.isFull ||= readOnce(path, { identifyOnly: true }) !== null
      return null
    }
    const read = readOnce(path, { identifyOnly: this.#bytes >= maxBytesOfAll })
    if (read === null) return null
    this.#bytes += read.content.length
    const known = this.#files.get(path)
    const hash = read.identity ?? this.#hash(path, read.content)
    // Keep what was seen first: two readings of one file must not be mixed.
    if (known && known.hash !== hash) return null
    if (!known) this.#put({ path, hash })
    const real = realPathOf(path)
    if (real !== null && real !== path && !this.#files.has(real)) this.#put({ path: real, hash })
    return read.content
  }

  #put(file: BoundFile) {
    if (this.#files.size < factLimits.files) this.#files.set(file.path, file)
    else this.isFull = true
  }

  /** A password in a file could be guessed from a plain hash. */
  #hash(path: string, content: Buffer): string {
    const plain = hash('sha256', content, 'base64url')
    return mayHoldSecrets(path) ? `hmac-${this.#hmac(path, plain)}` : plain
  }

  #mayShow(path: string, text: string): boolean {
    if (text.length > factLimits.fileText || this.#characters + text.length > factLimits.allText) return false
    return !mayHoldSecrets(path) && !looksSecret(text)
  }
}

// Longer code is bound, but not searched for what it runs.
const maxReadAsCode = 400_000

/** No file has another path, and no store could keep it. */
function isUsable(path: string): boolean {
  return path.length <= 4_096 && !path.includes('\0') && path.isWellFormed()
}

/** Git's settings may hold passwords in the addresses of remotes. */
function mayHoldSecrets(path: string): boolean {
  return [path, realPathOf(path) ?? path].some(one => isSecretPath(one) || /\.git\/config$/.test(one))
}

function realPathOf(path: string): string | null {
  try {
    return realpathSync(path)
  } catch {
    return null
  }
}
