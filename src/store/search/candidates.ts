import { spellings } from '../statements/match-word.ts'
import { inJson } from '../statements/shared.ts'
import { all, both, either, type Gram, gramsOf, hasBlock, type Mask, none } from './grams.ts'

/** What a request must have to be found: all words, each in one of its spellings, which has all of its grams. */
export type Wanted = Gram[][][]

/** Where matching requests can be, in the order of the search. */
export interface Candidates {
  /** Each from an id to before another one. */
  ranges: [string, string][]
  /** The whole of what the index was asked about: elsewhere in it, nothing matches. */
  lowest: string
  beyond: string
  /** Whether nothing is left of the index. */
  isLast: boolean
  /** Whether they are most of what there is: then reading all of it is as good. */
  areMost: boolean
}

export interface Place {
  newestFirst: boolean
  /** Where the search goes on: below it, or above it. */
  after: string
  /** The id where the index ends. */
  end: string
  /** How many blocks are enough. */
  blocks: number
}

export interface IndexReader {
  segmentsBefore(after: string, limit: number): Promise<SegmentRow[]>
  segmentsAfter(after: string, limit: number): Promise<SegmentRow[]>
  masks(gram: Gram, segments: { from: number; to: number }): Promise<Map<number, Mask>>
  starts(segments: readonly number[]): Promise<Map<number, string[]>>
}

interface Segment extends SegmentRow {
  /** Where the next one begins. */
  next: string
}

interface SegmentRow {
  segment: number
  first: string
}

export const blocksOfSegment = 64
/** The longest words select best, and a few of them are enough. */
const mostWords = 4
// A part of the index, in segments, and how many of them are looked up first.
const [part, firstGroup] = [256, 16]

export function wantedOfText(search: string): Wanted | null {
  const grams = gramsOf(inJson(search))
  return grams ? [[grams]] : null
}

export function wantedOfWords(words: readonly string[]): Wanted | null {
  const wanted: Wanted = []
  for (const word of words.toSorted((a, b) => b.length - a.length).slice(0, mostWords)) {
    const grams = [...new Set([...spellings(word), ...spellings(inJson(word))])].map(gramsOf)
    if (grams.every(one => one !== null)) wanted.push(grams)
  }
  return wanted.length > 0 ? wanted : null
}

/** The next candidates after a place, of one segment at least; reads a part of the index at most. */
export async function nextCandidates(reader: IndexReader, wanted: Wanted, place: Place): Promise<Candidates> {
  const { newestFirst, after, end, blocks } = place
  const segments = await segmentsFrom(reader, place)
  const [nearest] = segments
  if (!nearest) return { ranges: [], lowest: '', beyond: end, isLast: true, areMost: false }
  const taken = await takeSegments(reader, wanted, segments, blocks)
  const starts = await reader.starts(taken.filter(one => one.blocks.length > 0).map(one => one.segment))
  const ranges = taken.flatMap(one => one.blocks.flatMap(block => rangeOf(one, block, starts.get(one.segment))))
  const last = taken.at(-1) ?? nearest
  const areMost = ranges.length * 2 > taken.length * blocksOfSegment
  return newestFirst
    ? { ranges, areMost, lowest: last.first, beyond: after, isLast: last.first === '' }
    : { ranges, areMost, lowest: after, beyond: last.next, isLast: last.next === end }
}

/** As many of them as have enough blocks, looked up a few at first and then in larger groups. */
async function takeSegments(reader: IndexReader, wanted: Wanted, segments: readonly Segment[], blocks: number) {
  const taken: (Segment & { blocks: number[] })[] = []
  let count = 0
  for (let [from, size] = [0, firstGroup]; from < segments.length; from += size, size *= 4) {
    const group = segments.slice(from, from + size)
    const masks = await readMasks(reader, wanted, group)
    for (const segment of group) {
      const mask = maskOf(wanted, gram => masks.get(keyOf(gram))?.get(segment.segment) ?? none)
      const found = blockNumbers.filter(block => hasBlock(mask, block))
      taken.push({ ...segment, blocks: found })
      count += found.length
      if (count >= blocks) return taken
    }
  }
  return taken
}

const blockNumbers = Array.from({ length: blocksOfSegment }, (_, block) => block)

/** A part of the index, with where each segment ends. */
async function segmentsFrom(reader: IndexReader, { newestFirst, after, end }: Place): Promise<Segment[]> {
  if (newestFirst) {
    const found = await reader.segmentsBefore(after, part)
    return found.map((one, i) => ({ ...one, next: found[i - 1]?.first ?? after }))
  }
  const found = await reader.segmentsAfter(after, part + 1)
  return found.slice(0, part).map((one, i) => ({ ...one, next: found[i + 1]?.first ?? end }))
}

/** None where the segment was deleted meanwhile: then it had no requests. */
function rangeOf({ first, next }: Segment, block: number, starts: string[] | undefined): [string, string][] {
  const start = starts?.[block]
  return start === undefined ? [] : [[block === 0 ? first : start, starts?.[block + 1] ?? next]]
}

async function readMasks(reader: IndexReader, wanted: Wanted, group: readonly Segment[]) {
  const grams = new Map(wanted.flat(2).map(gram => [keyOf(gram), gram]))
  const numbers = group.map(({ segment }) => segment)
  const segments = { from: Math.min(...numbers), to: Math.max(...numbers) }
  // All at once: on PostgreSQL they take one round trip.
  const masks = [...grams].map(async ([key, gram]) => [key, await reader.masks(gram, segments)] as const)
  return new Map(await Promise.all(masks))
}

function keyOf({ bucket, slot }: Gram): string {
  return `${bucket} ${slot ?? ''}`
}

function maskOf(wanted: Wanted, of: (gram: Gram) => Mask): Mask {
  const ofSpelling = (grams: readonly Gram[]) => grams.reduce<Mask>((mask, gram) => both(mask, of(gram)), all)
  return wanted
    .map(spellings => spellings.reduce<Mask>((mask, grams) => either(mask, ofSpelling(grams)), none))
    .reduce(both, all)
}
