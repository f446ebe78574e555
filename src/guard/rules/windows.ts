import type { Domain } from './rule.ts'

export const windows: Domain = {
  name: 'windows',
  grammar: {},
  rules: [],
}
