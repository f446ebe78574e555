import type { ProgramCall } from '../program-call.ts'

/** A pattern of the paths that `find` prints: its first folder and the pattern of the last name. */
export function foundPathPattern({ args }: ProgramCall): string {
  const [root = '.'] = findRoots(args.map(({ value }) => value))
  return `${root}/${findPattern(args.map(({ value }) => value))}`
}

export function findRoots(words: readonly string[]): string[] {
  const roots: string[] = []
  for (const word of words) {
    if (/^-[HLPOD]/.test(word) && roots.length === 0 && word.length <= 3) continue
    if (/^[-(!]/.test(word)) break
    // There is no folder without a name.
    if (word !== '') roots.push(word)
  }
  return roots.length > 0 ? roots : ['.']
}

/** The pattern of the name; `*` if only types, ages and sizes narrow it down. */
export function findPattern(words: readonly string[]): string {
  const at = words.findIndex(
    (word, i) =>
      /^-i?(name|path|wholename|regex)$/.test(word) &&
      words[i - 1] !== '!' &&
      words[i - 1] !== '-not' &&
      !isExcluded(words, i),
  )
  const pattern = at < 0 ? undefined : words[at + 1]
  return pattern === undefined ? '*' : pattern.replace(/^(\.?\/|\*\/|\.\*\/)+/, '').replace(/\/\*+$/, '') || '*'
}

/** Whether the name is one that `find` skips: `-path ./x -prune -o …`. */
function isExcluded(words: readonly string[], at: number): boolean {
  return words[at + 2] === '-prune' && /^-(o|or)$/.test(words[at + 3] ?? '')
}
