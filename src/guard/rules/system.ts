import type { Domain } from './rule.ts'

export const system: Domain = {
  name: 'system',
  grammar: {},
  rules: [],
}
