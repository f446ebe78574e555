import type { Redirect } from '../shell/syntax-tree.ts'
import type { Frame, Reading } from './analysis.ts'
import { type Arg, literal, type Stream, streamOf } from './arguments.ts'
import { expandText } from './expand.ts'
import { fileKey, fileStream } from './files.ts'
import type { Scope } from './scope.ts'

export interface Redirected {
  /** What is read in place of the stdin before it; null where it stays. */
  stdin: Stream | null
  writes: readonly Write[]
}

export interface Write {
  operator: '>' | '>>'
  target: Arg
}

export function applyRedirects(
  redirects: readonly Redirect[],
  reading: Reading,
  scope: Scope,
  frame: Frame,
): Redirected {
  let stdin: Stream | null = null
  const writes: Write[] = []
  for (const redirect of redirects) {
    if (redirect.kind === 'text') {
      const { value, from } = expandText(redirect.body, reading, scope, frame)
      if ((redirect.descriptor ?? 0) === 0) stdin = streamOf(value, from)
      continue
    }
    if (!redirect.target) continue
    const target = expandText(redirect.target, reading, scope, frame)
    // 2>&1 and >&- name no file.
    if (/&$/.test(redirect.operator) && /^(\d+-?|-)$/.test(target.value)) continue
    if (redirect.operator === '<') {
      if ((redirect.descriptor ?? 0) === 0) stdin = fileStream(target, scope)
    } else if (redirect.operator !== '<&') {
      writes.push({ operator: redirect.operator.endsWith('>>') ? '>>' : '>', target })
    }
  }
  return { stdin, writes }
}

/** A redirect is a call of a program named `>` or `>>`: rules see where it writes, and by its stdin what. */
export function reportWrites(
  writes: readonly Write[],
  written: Stream,
  reading: Reading,
  scope: Scope,
  frame: Frame,
): void {
  for (const { operator, target } of writes) {
    scope.files.set(fileKey(target.value, scope.cwd), written)
    reading.run([literal(operator, target.span), target], { ...frame, scope, stdin: written, span: target.span })
  }
}
