import type { Domain } from './rule.ts'

export const infrastructure: Domain = {
  name: 'infrastructure',
  grammar: {},
  rules: [],
}
