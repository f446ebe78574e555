import { lstatSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import { reviewLimits } from '../../protocol/limits.ts'
import { createRedactor } from '../../secrets/redact.ts'
import { diffOf, type FileDiff } from '../git/diff.ts'
import { cannotStart } from '../git/git.ts'
import type { Snapshot } from '../git/snapshot.ts'

export interface Review {
  cwd: string
  /** Paths from the agent's directory, as it named them. */
  files: readonly string[]
  /** The files when the phase began; null to compare with the last commit. */
  since: Pick<Snapshot, 'commit'> | null
  /** Never shown. */
  secrets?: Iterable<string>
  signal?: AbortSignal
}

// A person waits to be asked.
const timeout = 5_000

/**
 * What a person needs to review a finished phase, as Markdown: the diffs of the files that it names, the named files
 * without a diff, and the files that changed without being named. Null where there is nothing to show. Files are read
 * through the repository only: one outside the directory is named, not shown.
 */
export async function reviewContext(review: Review): Promise<string | null> {
  const { cwd, since } = review
  const files = [...new Set(review.files)]
  const { inside, outside } = sortByLocation(cwd, files)
  const { diffs, problem } = await changes(review, inside)
  const shown = (diffs ?? []).filter(({ asked }) => files.length === 0 || asked.length > 0)
  const others = (diffs ?? []).filter(diff => !shown.includes(diff))
  const without = inside.filter(file => !shown.some(({ asked }) => asked.includes(file)))
  const missing = without.filter(file => !isThere(cwd, file))
  const same = diffs ? without.filter(file => !missing.includes(file)) : []
  const sections = [
    ...(problem === null ? [] : [`The changes cannot be shown: ${problem}.`]),
    ...(shown.length === 0
      ? []
      : [`${count(shown.length, 'file')} changed since ${since ? 'the phase began' : 'the last commit'}.`]),
    ...shown.map(sectionOf),
    ...named('Named but missing', missing),
    ...named('Named but unchanged or ignored', same),
    ...named('Named but outside the directory', outside),
    ...named(
      'Changed but not named',
      others.map(({ file }) => file),
    ),
  ]
  return sections.length === 0 ? null : redacted(upTo(sections, reviewLimits.total), review.secrets ?? [])
}

function sortByLocation(cwd: string, files: readonly string[]) {
  const isOutside = (file: string) => /^[.][.](\/|$)/v.test(relative(cwd, resolve(cwd, file)))
  return { inside: files.filter(file => !isOutside(file)), outside: files.filter(isOutside) }
}

async function changes({ cwd, files, since, signal }: Review, inside: readonly string[]) {
  const tooLong = AbortSignal.timeout(timeout)
  const options = {
    longest: reviewLimits.file,
    total: reviewLimits.total,
    others: true,
    signal: signal ? AbortSignal.any([signal, tooLong]) : tooLong,
  }
  try {
    const asked = files.length === 0 ? undefined : inside
    return { diffs: await diffOf(cwd, since?.commit ?? null, asked, options), problem: null }
  } catch (error) {
    if (cannotStart(error)) return { diffs: null, problem: null }
    const reason = error instanceof Error ? error.message : String(error)
    return { diffs: null, problem: tooLong.aborted ? `it took longer than ${timeout / 1_000} s` : reason }
  }
}

const binary = /^Binary files .* differ$/m

/** The file's name, its status, and its diff without the header lines that repeat the name. */
function sectionOf({ file, status, diff, cut }: FileDiff): string {
  const lines = diff.split('\n').slice(0, -1)
  const first = lines.findIndex(line => line.startsWith('@@ '))
  const head = lines.slice(0, first < 0 ? undefined : first)
  const about = head.filter(line => /^(old mode|new mode|rename from|Binary files)/.test(line))
  const body = first < 0 ? [] : lines.slice(first)
  const isBinary = binary.test(head.join('\n'))
  const facts = [status, ...(isBinary ? ['binary'] : []), ...(cut ? [] : countsOf(body))]
  const text = [...(isBinary ? [] : about), ...body, ...(cut && body.length > 0 ? ['… and more'] : [])].join('\n')
  return [
    `### ${inCode(file)}: ${facts.join(', ')}`,
    ...(text === '' ? [] : [fenced(text)]),
    ...(cut && body.length === 0 ? ['The diff is too long to show.'] : []),
  ].join('\n\n')
}

function countsOf(body: readonly string[]): string[] {
  const [added, removed] = ['+', '-'].map(sign => body.filter(line => line.startsWith(sign)).length)
  return body.length === 0 ? [] : [`+${added} −${removed}`]
}

function fenced(text: string): string {
  const fence = longestRun(text, 2)
  return `${fence}diff\n${text}\n${fence}`
}

/** A name can hold anything but a slash and a NUL: line breaks and backticks as well. */
function inCode(name: string): string {
  const onOneLine = name.replaceAll(/\p{Cc}/gu, '\ufffd')
  const tick = longestRun(onOneLine, 0)
  const room = /^`|`$/.test(onOneLine) ? ' ' : ''
  return `${tick}${room}${onOneLine}${room}${tick}`
}

/** One backtick more than the longest row of them in the text. */
function longestRun(text: string, least: number): string {
  const longest = Math.max(least, ...(text.match(/`+/g) ?? []).map(run => run.length))
  return '`'.repeat(longest + 1)
}

function isThere(cwd: string, file: string): boolean {
  try {
    return lstatSync(resolve(cwd, file), { throwIfNoEntry: false }) !== undefined
  } catch {
    return false
  }
}

const fewEnough = 50

function named(title: string, files: readonly string[]): string[] {
  if (files.length === 0) return []
  const shown = files.slice(0, fewEnough).map(file => `- ${inCode(file)}`)
  const rest = files.length > fewEnough ? [`- and ${files.length - fewEnough} more`] : []
  return [`${title}:\n\n${[...shown, ...rest].join('\n')}`]
}

function upTo(sections: readonly string[], total: number): string {
  let kept = ''
  for (const [i, section] of sections.entries()) {
    const next = kept === '' ? section : `${kept}\n\n${section}`
    if (next.length > total) return `${kept}\n\nThe rest is too long to show (${count(sections.length - i, 'part')}).`
    kept = next
  }
  return kept
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`
}

/** An agent may have written its secrets to files. In a diff, each line of a secret stands alone. */
function redacted(text: string, secrets: Iterable<string>): string {
  const redactor = createRedactor()
  for (const secret of secrets) {
    for (const part of new Set([secret, ...secret.split(/\r?\n/).filter(line => line.length >= 8)])) redactor.add(part)
  }
  const safe = Buffer.concat([redactor.push(Buffer.from(text)), redactor.end()]).toString()
  // Git decides by its beginning whether a file is text, so NULs may follow.
  return safe.replaceAll('\0', '\ufffd')
}
