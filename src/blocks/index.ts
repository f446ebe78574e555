import type { Ask } from '../typed/ask.ts'
import { toAsk as askOfBlock } from './block-to-ask.ts'
import type { DependencyItem, PhaseItem, QuestionItem } from './items.ts'

export { validateDependencyValue } from '../rules/dependency-value.ts'
export { validateAnswer } from '../rules/validate-answers.ts'
export { detectProtocol, type Protocol, parseDependencyRequest, parseUserQuestion } from './detect.ts'
export type * from './items.ts'
export { unescapeValue } from './reply/escape.ts'
export type { Reply } from './reply/formats.ts'
export { parseReply, writeOutcome, writeReply } from './reply/replies.ts'
export { createScanner, type Scanner, type ScannerOptions } from './scan/scanner.ts'
export { createUnwrapper, type Unwrapper } from './unwrap/unwrap.ts'

/** The ask that a block stands for, as `hub.ask` takes it. */
export const toAsk: (item: QuestionItem | DependencyItem | PhaseItem) => Ask = askOfBlock
