export { type OpenHubOptions, openHub } from './open-hub.ts'
export * from './protocol/index.ts'
export { validateAnswer } from './rules/answers.ts'
export { validateDependencyValue } from './rules/dependency-value.ts'
