import type { Redirect } from '../shell/syntax-tree.ts'
import type { Analysis, Frame } from './analysis.ts'
import { type Argument, literal } from './arguments.ts'
import { expandText } from './expand.ts'
import { fileKey, fileStream } from './files.ts'
import type { Scope } from './scope.ts'
import { emptyStream, type Stream, streamOf, unknownStream } from './streams.ts'

export interface Redirected {
  /** The new stdin; null if it does not change. */
  stdin: Stream | null
  writes: readonly Write[]
}

export interface Write {
  operator: '>' | '>>'
  target: Argument
  /** Whether the output goes there; `2> file` takes only the errors. */
  takesOutput: boolean
}

export function applyRedirects(
  redirects: readonly Redirect[],
  analysis: Analysis,
  scope: Scope,
  frame: Frame,
): Redirected {
  let stdin: Stream | null = null
  const writes: Write[] = []
  for (const redirect of redirects) {
    if (redirect.kind === 'text') {
      const { value, from } = expandText(redirect.body, analysis, scope, frame)
      open(redirect.descriptor, streamOf(value, from))
      continue
    }
    if (!redirect.target) continue
    const target = expandText(redirect.target, analysis, scope, frame)
    // `<&3` reads what was opened before: `bash <&3`.
    const opened = redirect.operator === '<&' ? scope.files.get(`/dev/fd/${target.value}`) : undefined
    if (opened) open(redirect.descriptor, opened)
    // 2>&1 and >&- do not name a file.
    if (/&$/.test(redirect.operator) && /^(\d+-?|-)$/.test(target.value)) continue
    if (redirect.operator === '<') {
      open(redirect.descriptor, fileStream(target, scope))
      analysis.runProgram([literal('<', redirect.span), target], { ...frame, scope, stdin: emptyStream })
    } else if (redirect.operator !== '<&') {
      const takesOutput = (redirect.descriptor ?? 1) === 1 && !/^\/dev\/(stdout|tty|fd\/1)$/.test(target.value)
      writes.push({ operator: redirect.operator.endsWith('>>') ? '>>' : '>', target, takesOutput })
    }
  }
  return { stdin, writes }

  function open(descriptor: number | null, stream: Stream): void {
    if ((descriptor ?? 0) === 0) stdin = stream
    else scope.files.set(`/dev/fd/${descriptor}`, stream)
  }
}

/** A redirect is analyzed as a program named `>`, `>>` or `<`: its argument is the file, its stdin what is written. */
export function reportWrites(
  writes: readonly Write[],
  written: Stream,
  analysis: Analysis,
  scope: Scope,
  frame: Frame,
): void {
  for (const { operator, target, takesOutput } of writes) {
    const content = takesOutput ? written : unknownStream
    scope.files.set(fileKey(target.value, scope.cwd), content)
    analysis.runProgram([literal(operator, target.span), target], {
      ...frame,
      scope,
      stdin: content,
      span: target.span,
    })
  }
}
