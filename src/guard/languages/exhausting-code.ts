import type { Analysis, Frame } from '../interpret/analysis.ts'
import type { Span } from '../shell/syntax-tree.ts'
import type { Skeleton } from './skeleton.ts'

/**
 * Reports code of any language that takes memory or starts programs without end: a loop that never ends, in which nothing
 * waits or leaves, or one huge value. Strings and comments are already gone from the text.
 */
export function reportExhaustingCode({ text }: Skeleton, span: Span, frame: Frame, analysis: Analysis): void {
  const takes = endlessLoop.test(text) && (starts.test(text) || grows.test(text)) && !leaves.test(text)
  if (!takes && !hugeValue.test(text)) return
  analysis.report({
    rule: 'system/exhaustion',
    message: 'uses up processes, memory or disk space without end',
    span: span[0] === span[1] ? frame.span : span,
    verdict: 'ask',
    severity: 'high',
    safer: null,
  })
}

const endlessLoop =
  /\bwhile\s*(?:\(\s*)?(?:True|true|1|!0|!false|not\s+False)\b|\bfor\s*\(\s*;\s*;\s*\)|\bfor\s*\{|\bloop\s*(?:\{|do\b)|\buntil\s+false\b|\bsetInterval\s*\(|\brepeat\s*\{|\brepeat\s+\w+\s*<-|\b1\s+while\b|\bStream\.(?:repeatedly|cycle|iterate)\b/
const starts =
  /\b(?:Popen|spawn|posix_spawnp?|exec\.Command|multiprocessing\.Process|Command::new|popen|execFile|Thread(?:\.new)?|proc_open)\b/
const grows =
  /\bpush\s*@|\[\s*\]\s*=(?!=)|\[\s*#\w{1,30}\s*\+\s*1\s*\]\s*=|\[\s*\w{1,30}\+\+\s*\]\s*=|\b(?:append|push)!\s*\(|\.write\s*\(|\bprint\s+[A-Z]{1,20}\s+«|<-\s*c\(|\.=\s*[$«]|(?<![\w.])([A-Za-z_]\w{0,30})\s*<<\s*\1\b|(?<!\w)(\w{1,30})\s*=\s*\2(?:\s*\.\.\s*|\s+)\2\b|\.(?:append|push|extend|push_back|concat)\s*\(|\b(?:malloc|calloc)\s*\(|\+=\s*[A-Za-z_«]|\*=\s*2\b|<<\s*«|(?<!\w)(\w{1,30})\s*=\s*\3\s*[+.]\s*[$]?\3\b/
const leaves =
  /\b(?:break|return|exit|_exit|sleep|usleep|wait|waitpid|waitall|accept|recv|last|die|join|input|readline|readlines|read|await|yield|throw|raise|get|select|poll)\b/
const huge = String.raw`(?:10\s*\*\*\s*1\d|1e1\d|\d{11,20}|1\s*<<\s*(?:3[3-9]|[4-9]\d))\b`
const hugeValue = new RegExp(
  String.raw`[»\])]\s*[*x]\s*(?:\(\s*)?${huge}|\b(?:bytearray|alloc|allocUnsafe|repeat|malloc|calloc|bytes)\s*\(\s*${huge}`,
)
