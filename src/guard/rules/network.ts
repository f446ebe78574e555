import type { Domain } from './rule.ts'

export const network: Domain = {
  name: 'network',
  grammar: {},
  rules: [],
}
