import type { Domain } from './rule.ts'

export const secrets: Domain = {
  name: 'secrets',
  grammar: {},
  rules: [],
}
