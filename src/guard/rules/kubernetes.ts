import type { Domain } from './rule.ts'

export const kubernetes: Domain = {
  name: 'kubernetes',
  grammar: {},
  rules: [],
}
