import type { Domain } from './rule.ts'

export const databases: Domain = {
  name: 'databases',
  grammar: {},
  rules: [],
}
