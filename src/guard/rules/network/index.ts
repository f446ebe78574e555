import type { Domain } from '../rule.ts'
import { exposingRules } from './exposing.ts'
import { networkGrammar } from './grammar.ts'
import { httpRequestRules } from './http-requests.ts'
import { probingRules } from './probing.ts'
import { remoteShellRules } from './remote-shells.ts'
import { servingRules } from './serving.ts'
import { uploadingRules } from './uploading.ts'

export const network: Domain = {
  name: 'network',
  grammar: networkGrammar,
  rules: [
    ...remoteShellRules,
    ...exposingRules,
    ...servingRules,
    ...httpRequestRules,
    ...uploadingRules,
    ...probingRules,
  ],
}
