import type { Domain } from './rule.ts'

export const disk: Domain = {
  name: 'disk',
  grammar: {},
  rules: [],
}
