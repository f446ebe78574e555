export { validateAnswer } from './core/answers.ts'
export { validateDependencyValue } from './core/dependency-value.ts'
export { type OpenHubOptions, openHub } from './open-hub.ts'
export * from './protocol/index.ts'
