import type { Domain } from '../rule.ts'
import { awsRules } from './aws.ts'
import { googleAzureRules } from './google-azure.ts'
import { cloudGrammar } from './grammar.ts'
import { hostingRules, pushRules } from './hosting.ts'
import { storageRules } from './storage.ts'
import { wiperGrammar, wiperRules } from './wipers.ts'

export const cloud: Domain = {
  name: 'cloud',
  grammar: { ...cloudGrammar, ...wiperGrammar },
  rules: [...awsRules, ...googleAzureRules, ...storageRules, ...wiperRules, ...hostingRules, ...pushRules],
}
