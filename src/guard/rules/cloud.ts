import type { Domain } from './rule.ts'

export const cloud: Domain = {
  name: 'cloud',
  grammar: {},
  rules: [],
}
