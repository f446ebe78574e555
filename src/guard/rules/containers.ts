import type { Domain } from './rule.ts'

export const containers: Domain = {
  name: 'containers',
  grammar: {},
  rules: [],
}
