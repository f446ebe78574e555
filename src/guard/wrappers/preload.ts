import type { Analysis } from '../interpret/analysis.ts'
import { messageOf } from '../message.ts'
import type { Span } from '../shell/syntax-tree.ts'

/** A preloaded library runs inside the program. */
export function reportPreload(library: string, span: Span, analysis: Analysis): void {
  if (library === '' || /\b(libjemalloc|libtcmalloc|libfaketime|libasan|libeatmydata|libgtk3-nocsd)/.test(library))
    return
  const said = messageOf('loads {library} into the program, where it can do anything', {
    library: library.replaceAll('\0', '…'),
  })
  analysis.report({ rule: 'system/preload', ...said, span, verdict: 'ask', severity: 'high', safer: null })
}
