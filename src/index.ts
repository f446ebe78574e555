import './system/node-version.ts'

export type { AttachedFile, ProgramAskInput, ProgramHub } from './library/attached-files.ts'
export { type OpenHubOptions, openLibraryHub as openHub } from './library/open-library-hub.ts'
export * from './protocol/index.ts'
export { validateDependencyValue } from './rules/dependency-value.ts'
export { validateAnswer } from './rules/validate-answers.ts'
