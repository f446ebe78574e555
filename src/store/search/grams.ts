// What a text is found by: its *grams*, each two or three characters that follow each other. Of alphabets it takes three
// to tell texts apart; of Chinese, Japanese and Korean two. The index keeps grams in buckets, which are rows:
//
//   a b c   all of alphabets    bucket "ab", slot "c"; where no such character follows, the slot is `end`
//   가 나   all others          bucket "가", slot "나"; `end` after the last character
//
// A bucket as a whole thus says where two characters of an alphabet, or one other, occur. Characters are UTF-16 units in
// one spelling of upper and lower case. The index only selects where to look; SQL decides what matches.

export interface Gram {
  bucket: number
  /** Null for any. */
  slot: string | null
}

/** One row of the index without its segment. */
export interface Bucket {
  bucket: number
  slots: string
  masks: Buffer
}

/** CJK radicals, and all that comes after them. */
const afterAlphabets = 0x2e80
const end = 0
/** How many grams of a word are looked up: more would hardly select better. */
const mostGrams = 6

/** The grams that every text with this word has; null where the index cannot tell. */
export function gramsOf(word: string): Gram[] | null {
  const grams = word.split(odd).flatMap(gramsOfPart)
  return grams.length > 0 ? spread(grams, mostGrams) : null
}

/**
 * What some database may lower-case to something else than `folded` does, and a word is therefore cut at: letters with
 * accents of their own or that Lithuanian gives a dot, the Turkish İ, characters that are newer than this program, pairs
 * of surrogates with upper and lower case, half a pair.
 */
const odd =
  /.?[\u0300-\u036f]+|[\u00cc\u00cd\u0128\u0130\p{Cn}\p{Cs}]|(?=[\u{10000}-\u{10ffff}])\p{Changes_When_Casemapped}/u

function gramsOfPart(part: string): Gram[] {
  const units = folded(part)
  const grams: Gram[] = []
  let isCovered = false
  for (const [i, a] of units.entries()) {
    const [b, c] = [units[i + 1], units[i + 2]]
    if (b === undefined) {
      if (i === 0 && a >= afterAlphabets) grams.push({ bucket: a, slot: null })
    } else if (a >= afterAlphabets || b >= afterAlphabets) {
      grams.push({ bucket: a, slot: slotOf(b) })
      isCovered = false
    } else if (c !== undefined && c < afterAlphabets) {
      grams.push({ bucket: pairOf(a, b), slot: slotOf(c) })
      isCovered = true
    } else if (!isCovered) grams.push({ bucket: pairOf(a, b), slot: null })
  }
  return grams
}

/** Some of them, evenly from the first to the last. */
function spread<T>(all: readonly T[], most: number): T[] {
  if (all.length <= most) return [...all]
  return Array.from({ length: most }, (_, i) => all[Math.round((i * (all.length - 1)) / (most - 1))] as T)
}

function folded(text: string): number[] {
  const fold = foldTable()
  return Array.from({ length: text.length }, (_, i) => fold[text.charCodeAt(i)] as number)
}

let table: Uint16Array | null = null

/**
 * Characters that a database may take for the same have the same number: SQLite knows upper and lower case of ASCII only,
 * PostgreSQL those of its locale, in which I may be the capital of ı, Σ that of ς, and Ì be i with two accents. Made on
 * first use: most commands search for nothing.
 */
function foldTable(): Uint16Array {
  if (table) return table
  table = new Uint16Array(0x1_0000).map((_, unit) => unit)
  for (const [from, to] of cased) {
    for (let unit = from; unit <= to; unit += 1) {
      const lower = String.fromCharCode(unit).toLowerCase()
      if (lower.length === 1) table[unit] = lower.charCodeAt(0)
    }
  }
  for (const [unit, same] of alike) table[unit] = same
  return table
}

const cased = [
  [0x41, afterAlphabets],
  [0xa640, 0xabff],
  [0xff21, 0xff3a],
] as const
const [smallI, sigma] = [0x69, 0x3c3]
const alike = [
  ...[0xcc, 0xec, 0xcd, 0xed, 0x128, 0x129].map(accented => [accented, smallI] as const),
  [0x130, smallI],
  [0x131, smallI],
  [0x3c2, sigma],
] as const

function pairOf(a: number, b: number): number {
  return a * 0x1_0000 + b
}

/** A character that both databases store: neither NUL nor half of a pair. */
function slotOf(unit: number): string {
  if (unit === end) return '\u0001'
  return String.fromCharCode(unit >= 0xd800 && unit <= 0xdfff ? 0xe000 + (unit & 0x7ff) : unit)
}

// Three characters of ASCII are a number of 21 bits.
const ascii = 0x80

/** Collects the grams of a segment, block by block. */
export class GramCollector {
  /** By bucket and slot: where the mask is. */
  readonly #places = new Map<number, number>()
  #masks = new Uint32Array(2 * 8_192)
  readonly #ofBlock = new Set<number>()
  readonly #asciiOfBlock: number[] = []
  readonly #seen = new Uint32Array((ascii * ascii * ascii) / 32)

  add(written: string | null): void {
    if (written === null) return
    // Turkish leaves out the dot of an I.
    const text = written.replaceAll('\u0307', '')
    const fold = foldTable()
    let a = end
    let b = end
    for (let i = 0; i <= text.length + 1; i += 1) {
      const c = i < text.length ? (fold[text.charCodeAt(i)] as number) : end
      // The last character alone tells nothing in an alphabet.
      if (i >= 2 && (i <= text.length || a >= afterAlphabets)) this.#note(a, b, c)
      a = b
      b = c
    }
  }

  #note(a: number, b: number, c: number): void {
    if (a >= afterAlphabets || b >= afterAlphabets) {
      this.#ofBlock.add(keyOf(a, b))
      return
    }
    const third = c < afterAlphabets ? c : end
    if ((a | b | third) >= ascii) {
      this.#ofBlock.add(keyOf(pairOf(a, b), third))
      return
    }
    const number = (a << 14) | (b << 7) | third
    const bit = 1 << (number & 31)
    const word = this.#seen[number >>> 5] as number
    if (word & bit) return
    this.#seen[number >>> 5] = word | bit
    this.#asciiOfBlock.push(number)
  }

  /** What was added since the last time is in this block. */
  endBlock(block: number): void {
    for (const number of this.#asciiOfBlock) {
      this.#mark(keyOf(pairOf(number >>> 14, (number >>> 7) & 0x7f), number & 0x7f), block)
      this.#seen[number >>> 5] = 0
    }
    for (const key of this.#ofBlock) this.#mark(key, block)
    this.#asciiOfBlock.length = 0
    this.#ofBlock.clear()
  }

  #mark(key: number, block: number): void {
    let place = this.#places.get(key)
    if (place === undefined) {
      place = this.#places.size * 2
      this.#places.set(key, place)
      if (place === this.#masks.length) {
        const masks = new Uint32Array(place * 2)
        masks.set(this.#masks)
        this.#masks = masks
      }
    }
    const half = place + (block >>> 5)
    this.#masks[half] = (this.#masks[half] as number) | (1 << (block & 31))
  }

  /** Everything that was collected, in the order of buckets. */
  *buckets(): Generator<Bucket> {
    const keys = Float64Array.from(this.#places.keys()).sort()
    for (let from = 0; from < keys.length; ) {
      const bucket = Math.floor((keys[from] as number) / 0x1_0000)
      let to = from
      while (to < keys.length && Math.floor((keys[to] as number) / 0x1_0000) === bucket) to += 1
      yield this.#bucketOf(bucket, keys.subarray(from, to))
      from = to
    }
  }

  #bucketOf(bucket: number, keys: Float64Array): Bucket {
    const bySlot = new Map<string, Mask>()
    for (const key of keys) {
      const place = this.#places.get(key) as number
      const mask: Mask = [this.#masks[place] as number, this.#masks[place + 1] as number]
      const slot = slotOf(key % 0x1_0000)
      bySlot.set(slot, either(bySlot.get(slot) ?? none, mask))
    }
    return write(bucket, bySlot)
  }
}

function keyOf(bucket: number, unit: number): number {
  return bucket * 0x1_0000 + unit
}

/** A bit for each block of a segment: the lower 32, and the others. */
export type Mask = readonly [number, number]
export const none: Mask = [0, 0]
export const all: Mask = [0xffff_ffff, 0xffff_ffff]

export function either(a: Mask, b: Mask): Mask {
  return [(a[0] | b[0]) >>> 0, (a[1] | b[1]) >>> 0]
}

export function both(a: Mask, b: Mask): Mask {
  return [(a[0] & b[0]) >>> 0, (a[1] & b[1]) >>> 0]
}

export function hasBlock(mask: Mask, block: number): boolean {
  return (((block < 32 ? mask[0] : mask[1]) >>> (block & 31)) & 1) === 1
}

/** Any of the masks in these bytes. */
export function readMask(bytes: Buffer): Mask {
  let mask = none
  for (let at = 0; at < bytes.length; at += 8) {
    mask = either(mask, [bytes.readUInt32LE(at), bytes.readUInt32LE(at + 4)])
  }
  return mask
}

/** What either of two rows of one bucket says; null where the first one says it all. */
export function merged(known: Bucket, more: Bucket): Bucket | null {
  const bySlot = read(known)
  let isNew = false
  for (const [slot, mask] of read(more)) {
    const before = bySlot.get(slot) ?? none
    const after = either(before, mask)
    if (after[0] !== before[0] || after[1] !== before[1]) isNew = true
    bySlot.set(slot, after)
  }
  return isNew ? write(known.bucket, bySlot) : null
}

function read({ slots, masks }: Bucket): Map<string, Mask> {
  return new Map(Array.from(slots, (slot, i) => [slot, readMask(masks.subarray(i * 8, i * 8 + 8))]))
}

function write(bucket: number, bySlot: ReadonlyMap<string, Mask>): Bucket {
  const masks = Buffer.alloc(bySlot.size * 8)
  let at = 0
  for (const [low, high] of bySlot.values()) {
    masks.writeUInt32LE(low >>> 0, at)
    masks.writeUInt32LE(high >>> 0, at + 4)
    at += 8
  }
  return { bucket, slots: [...bySlot.keys()].join(''), masks }
}
