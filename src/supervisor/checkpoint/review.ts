import { lstatSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import { reviewLimits } from '../../protocol/limits.ts'
import { createRedactor } from '../../secrets/redact.ts'
import { diffOf, type FileDiff } from '../git/diff.ts'
import { cannotStart } from '../git/git.ts'
import type { Snapshot } from '../git/snapshot.ts'

export interface Review {
  cwd: string
  /** As the agent named them, by paths from its directory. */
  files: readonly string[]
  /** The files when the phase began; the last commit where they were not kept. */
  since: Pick<Snapshot, 'commit'> | null
  /** Never shown. */
  secrets?: Iterable<string>
  signal?: AbortSignal
}

// Somebody is waiting to be asked.
const patience = 5_000

/**
 * What a person needs to judge a finished phase, as Markdown: the files that it names with what has changed in them,
 * those of which there is nothing to show, and those that changed though it does not name them. Null where there is
 * nothing to say. No file is read but by way of the repository: one outside of the directory is named only.
 */
export async function reviewContext(review: Review): Promise<string | null> {
  const { cwd, since } = review
  const files = [...new Set(review.files)]
  const { inside, outside } = sortByPlace(cwd, files)
  const { diffs, problem } = await changes(review, inside)
  const shown = (diffs ?? []).filter(({ asked }) => files.length === 0 || asked.length > 0)
  const others = (diffs ?? []).filter(diff => !shown.includes(diff))
  const without = inside.filter(file => !shown.some(({ asked }) => asked.includes(file)))
  const missing = without.filter(file => !isThere(cwd, file))
  const same = diffs ? without.filter(file => !missing.includes(file)) : []
  const sections = [
    ...(problem === null ? [] : [`What has changed cannot be shown: ${problem}.`]),
    ...(shown.length === 0
      ? []
      : [`${count(shown.length, 'file')} changed since ${since ? 'the phase began' : 'the last commit'}.`]),
    ...shown.map(sectionOf),
    ...named('Named, and not there', missing),
    ...named('Named, and unchanged or ignored', same),
    ...named('Named, and outside of the directory', outside),
    ...named(
      'Changed too, and not named',
      others.map(({ file }) => file),
    ),
  ]
  return sections.length === 0 ? null : redacted(upTo(sections, reviewLimits.total), review.secrets ?? [])
}

function sortByPlace(cwd: string, files: readonly string[]) {
  const isOutside = (file: string) => /^[.][.](\/|$)/v.test(relative(cwd, resolve(cwd, file)))
  return { inside: files.filter(file => !isOutside(file)), outside: files.filter(isOutside) }
}

async function changes({ cwd, files, since, signal }: Review, inside: readonly string[]) {
  const tooLong = AbortSignal.timeout(patience)
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
    return { diffs: null, problem: tooLong.aborted ? `it took longer than ${patience / 1_000} s` : reason }
  }
}

const binary = /^Binary files .* differ$/m

/** Its name, what happened to it, and the diff without what the name has said already. */
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
    ...(cut && body.length === 0 ? ['There is no room to show it.'] : []),
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

/** One backtick more than any row of them in the text. */
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
    if (next.length > total) return `${kept}\n\nThere is no room for the rest (${count(sections.length - i, 'part')}).`
    kept = next
  }
  return kept
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`
}

/** What an agent was given may be in what it wrote. In a diff, each line of it stands alone. */
function redacted(text: string, secrets: Iterable<string>): string {
  const redactor = createRedactor()
  for (const secret of secrets) {
    for (const part of new Set([secret, ...secret.split(/\r?\n/).filter(line => line.length >= 8)])) redactor.add(part)
  }
  const safe = Buffer.concat([redactor.push(Buffer.from(text)), redactor.end()]).toString()
  // Git takes a file for text by its beginning.
  return safe.replaceAll('\0', '\ufffd')
}
