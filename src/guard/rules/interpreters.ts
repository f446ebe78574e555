import type { Domain } from './rule.ts'

export const interpreters: Domain = {
  name: 'interpreters',
  grammar: {},
  rules: [],
}
