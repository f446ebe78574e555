import type { Analysis } from '../interpret/analysis.ts'
import type { Span } from '../shell/syntax-tree.ts'

/** A preloaded library runs inside the program. */
export function reportPreload(library: string, span: Span, analysis: Analysis): void {
  if (library === '' || /\b(libjemalloc|libtcmalloc|libfaketime|libasan|libeatmydata|libgtk3-nocsd)/.test(library))
    return
  const message = `loads ${library.replaceAll('\0', '…')} into the program, where it can do anything`
  analysis.report({ rule: 'system/preload', message, span, verdict: 'ask', severity: 'high', safer: null })
}
