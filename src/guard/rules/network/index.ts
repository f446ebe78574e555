import type { Domain } from '../rule.ts'
import { exposureRules } from './exposing.ts'
import { networkGrammar } from './grammar.ts'
import { httpRequestRules } from './http-requests.ts'
import { probingRules } from './probing.ts'
import { shellRules } from './remote-shells.ts'
import { uploadingRules } from './uploading.ts'

export const network: Domain = {
  name: 'network',
  grammar: networkGrammar,
  rules: [...shellRules, ...exposureRules, ...httpRequestRules, ...uploadingRules, ...probingRules],
}
