import { lstatSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import { reviewLimits } from '../../protocol/limits.ts'
import { createRedactor } from '../../secrets/redact.ts'
import { diffOf, type FileDiff } from '../git/diff.ts'
import { cannotStart } from '../git/git.ts'
import type { Snapshot } from '../git/snapshot.ts'
import { unifiedDiff } from './unified-diff.ts'

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

/** What a person needs to review a finished phase; null where there is nothing of it. */
export interface ReviewedChanges {
  /** Every changed file, whether it was named or not, as a unified diff. */
  diff: string | null
  /** Markdown: how much changed, and where that differs from what the agent named. */
  context: string | null
}

// A person waits to be asked.
const timeout = 5_000

/** Files are read through the repository only: one outside the directory is named, not shown. */
export async function reviewChanges(review: Review): Promise<ReviewedChanges> {
  const { cwd, since } = review
  const files = [...new Set(review.files)]
  const { inside, outside } = sortByLocation(cwd, files)
  const { diffs, problem } = await changes(review, inside)
  const changed = (diffs ?? []).filter(({ tooLarge }) => tooLarge === undefined)
  const unasked = files.length === 0 ? [] : changed.filter(({ asked }) => asked.length === 0)
  const without = inside.filter(file => !(diffs ?? []).some(({ asked }) => asked.includes(file)))
  const missing = without.filter(file => !isThere(cwd, file))
  const same = diffs ? without.filter(file => !missing.includes(file)) : []
  const sections = [
    ...(problem === null ? [] : [`The changes cannot be shown: ${problem}.`]),
    ...(changed.length === 0 ? [] : [`${sizeOf(changed)} since ${since ? 'the phase began' : 'the last commit'}.`]),
    ...(changed.length > reviewLimits.files ? [`Only the first ${reviewLimits.files} of them are shown.`] : []),
    ...named('Named but missing', missing),
    ...named('Named but unchanged or ignored', same),
    ...named('Named but outside the directory', outside),
    ...named(
      'Changed but not named',
      unasked.map(({ file }) => file),
    ),
  ]
  const secrets = [...(review.secrets ?? [])]
  return {
    diff: diffs?.length ? redacted(unifiedDiff(diffs.slice(0, reviewLimits.files)), secrets) : null,
    context: sections.length === 0 ? null : redacted(sections.join('\n\n'), secrets),
  }
}

function sortByLocation(cwd: string, files: readonly string[]) {
  const isOutside = (file: string) => /^[.][.](\/|$)/v.test(relative(cwd, resolve(cwd, file)))
  return { inside: files.filter(file => !isOutside(file)), outside: files.filter(isOutside) }
}

async function changes({ cwd, files, since, signal }: Review, inside: readonly string[]) {
  const tooLong = AbortSignal.timeout(timeout)
  const options = {
    longest: reviewLimits.file,
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

function sizeOf(changed: readonly FileDiff[]): string {
  const sum = (key: 'added' | 'removed') => changed.reduce((sum, diff) => sum + diff[key], 0)
  return `${changed.length} file${changed.length === 1 ? '' : 's'} changed (+${sum('added')} −${sum('removed')})`
}

/** A name can hold anything but a slash and a NUL: line breaks and backticks as well. */
function inCode(name: string): string {
  const onOneLine = name.replaceAll(/\p{Cc}/gu, '\ufffd')
  const longest = Math.max(0, ...(onOneLine.match(/`+/g) ?? []).map(run => run.length))
  const tick = '`'.repeat(longest + 1)
  const room = /^`|`$/.test(onOneLine) ? ' ' : ''
  return `${tick}${room}${onOneLine}${room}${tick}`
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
