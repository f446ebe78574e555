export { type OpenHubOptions, openHub } from './open-hub.ts'
export * from './protocol/index.ts'
export { validateDependencyValue } from './rules/dependency-value.ts'
export { validateAnswer } from './rules/validate-answers.ts'
