export { type ClassifyOptions, classify } from './classify.ts'
export type { Answer, Reason, Segment, Severity, Verdict } from './verdict.ts'
