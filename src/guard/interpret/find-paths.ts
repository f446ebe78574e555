import type { ProgramCall } from '../program-call.ts'

/** What the names look like that `find` gives: its first folder, and the pattern of its last name. */
export function foundPathPattern({ args }: ProgramCall): string {
  const [root = '.'] = findRoots(args.map(({ value }) => value))
  return `${root}/${findPattern(args.map(({ value }) => value))}`
}

export function findRoots(words: readonly string[]): string[] {
  const roots: string[] = []
  for (const word of words) {
    if (/^-[HLPOD]/.test(word) && roots.length === 0 && word.length <= 3) continue
    if (/^[-(!]/.test(word)) break
    roots.push(word)
  }
  return roots.length > 0 ? roots : ['.']
}

/** `*` where nothing but kinds, ages and sizes narrow it down. */
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

/** `-path ./x -prune -o …`: what is named is what it stays out of. */
function isExcluded(words: readonly string[], at: number): boolean {
  return words[at + 2] === '-prune' && /^-(o|or)$/.test(words[at + 3] ?? '')
}
