export { classify } from './classify.ts'
export { isOfStrictGuard } from './rules/index.ts'
export { alwaysFor, type Decision, decide, type UserRule } from './user-rules/decide.ts'
export type { Segment } from './verdict.ts'
