import type { Domain } from './rule.ts'

export const packages: Domain = {
  name: 'packages',
  grammar: {},
  rules: [],
}
