import type { Domain } from '../rule.ts'
import { awsRules } from './aws.ts'
import { googleAzureRules } from './google-azure.ts'
import { cloudGrammar } from './grammar.ts'
import { hostingRules, pushRules } from './hosting.ts'
import { storageRules } from './storage.ts'

export const cloud: Domain = {
  name: 'cloud',
  grammar: cloudGrammar,
  rules: [...awsRules, ...googleAzureRules, ...storageRules, ...hostingRules, ...pushRules],
}
