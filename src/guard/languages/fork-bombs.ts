import type { Analysis } from '../interpret/analysis.ts'
import type { Argument } from '../interpret/arguments.ts'
import type { Language } from './language.ts'
import type { Skeleton } from './skeleton.ts'

/** Reports code that starts processes without end: a fork in an endless loop, or a program that starts itself again. */
export function checkForkBomb(language: Language, { text }: Skeleton, code: Argument, analysis: Analysis): void {
  const isEndless = endlessLoop.test(text)
  const forks = (language === 'awk' ? null : forkCall)?.test(text) ?? false
  const waits = /\bwait(?:pid)?\b|\bwaitpid\s*\(|\.join\s*\(\s*\)|\baccept\s*\(|\bsleep\s*\(/.test(text)
  const startsProcess = /\b(?:Popen|spawn|spawnSync|exec|popen|system|execute|fork|ProcessBuilder|Command)\b/.test(text)
  const startsItself = startsProcess && itself.test(text) && (isEndless || repeatsItself.test(text))
  if (!((isEndless && forks && !waits) || startsItself || forkTwice.test(text) || spawnsItself.test(text))) return
  analysis.report({
    rule: 'system/fork-bomb',
    message: 'starts copies of itself until the machine stops responding',
    span: code.span,
    verdict: 'ask',
    severity: 'critical',
    safer: null,
  })
}

const endlessLoop =
  /\b(?:while|until)\s*\(?\s*(?:1|true|True|TRUE|!0|\(1\)|not\s+False|nil|false|:true)\b|\bfor\s*\(\s*;[\s\d]*;\s*\)|\bfor\s*\{|\bloop\s*(?:\{|do\b)|\bforever\b|\b1\s+while\b|\bwhile\s+fork\b|\bfork\s+while\b|\brepeat\s*\{|\bsetInterval\s*\(|\bfor\s+\w+\s+in\s+(?:iter\(int|itertools\.count|count\()|\bitertools\.(?:count|repeat)\b|\bwhile\s*\(?\s*(?:0\s*==\s*0|1\s*==\s*1)/
const forkCall =
  /\b(?:os\.)?fork\b(?!\s*[=.:])|\bpcntl_fork\b|\bforkpty\b|\bProcess\s*\(\s*target\b|\bspawn\s*\(\s*&|\bclone\s*\(/
const itself =
  /\bsys\.executable\b|\bsys\.argv\b|__file__|__filename|\bprocess\.(?:execPath|argv(?:0|\[0\])?)|\$0\b|\$PROGRAM_NAME|\bargv\[0\]|\$\^X|\bos\.Args\[0\]|current_exe|\barg\[0\]|\bFindBin\b|\.toString\s*\(\s*\)\s*\+/
const repeatsItself = /\bfunction\s+(\w{1,30})\s*\([^)]{0,40}\)[\s\S]{1,400}\b\1\s*\(/
/** A function whose new process runs the same function: `fn f -> spawn(fn -> f.(f) end); f.(f) end`, `go f(); f()`. */
const spawnsItself =
  /\bspawn\w*\s*\(\s*fu?n(?:\s*\(\s*\))?\s*->\s*(\w{1,30})\.?\(\s*\1\s*\)|\bdefp?\s+(\w{1,30})\b[^\n]{0,80}\bspawn\w*\s*\(\s*(?:fn\s*->\s*|&)\2\b|\bStream\.(?:repeatedly|cycle)\b[^\n]{0,60}\bspawn|\bgo\s+(\w{1,30})\(\s*\)\s*[;\n]\s*(?:go\s+)?\3\(|\bfun\s+(\w{1,30})\(\)\s*->[^\n]{0,60}\bspawn\(\4\)|\bdef\s+(\w{1,30})\b[^\n]{0,80}\bfork\s*(?:\{|do)\s*\5\b/
/** `def f do spawn(&f/0); spawn(&f/0) …` */
const forkTwice =
  /\bspawn\s*\(\s*&?(\w{1,30})[^;\n]{0,40}[;\n]\s*spawn\s*\(\s*&?\1|\bfork\b[^;\n]{0,30};\s*fork\b[^;\n]{0,30};\s*fork\b/
