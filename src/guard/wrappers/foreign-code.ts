import type { Analysis, Frame } from '../interpret/analysis.ts'
import { literal, origins } from '../interpret/arguments.ts'
import { fileStream } from '../interpret/files.ts'
import { freshFolder } from '../interpret/fresh-folder.ts'
import { reportRemoteCode } from '../interpret/unseen-code.ts'
import { resolvePath } from '../paths.ts'
import type { Span } from '../shell/syntax-tree.ts'

/**
 * Reports code that a program is made to run or load from a place that is neither the workspace nor the system: /tmp, the
 * downloads, someone's folder. Tools keep their own code in hidden folders of the home folder. A folder that is searched is
 * suspicious only where anyone can write, because libraries of other projects are everyday.
 */
export function reportForeignCode(
  path: string,
  span: Span,
  frame: Frame,
  analysis: Analysis,
  isSearched = false,
): boolean {
  const { scope } = frame
  if (!path.includes('/') || path.includes('\0') || scope.isRemote) return false
  const { home } = analysis.context
  const file = literal(path.replace(/^file:\/\//, '').replace(/^~(?=\/)/, home), span)
  if (fileStream(file, scope).from & origins.network) {
    reportRemoteCode(file, frame, analysis)
    return true
  }
  const { class: place, path: full } = resolvePath(file, analysis.context, scope.cwd)
  if (full === null || full.startsWith(freshFolder)) return false
  const isHidden = full.startsWith(`${home}/.`) && !full.startsWith(`${home}/.cache/`)
  const isForeign = place === 'tmp' || full.startsWith(`${home}/Downloads/`) || (place === 'outside' && !isSearched)
  if (!isForeign || isHidden) return false
  analysis.report({
    rule: 'shell/foreign-code',
    message: 'makes a program run code from outside the workspace',
    span,
    verdict: 'ask',
    severity: 'high',
    safer: null,
  })
  return true
}
