export { classify } from './classify.ts'
export type { Verdict } from './verdict.ts'
