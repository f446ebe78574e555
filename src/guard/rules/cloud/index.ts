import type { Domain } from '../rule.ts'
import { awsGrammar, awsRules } from './aws.ts'
import { azGrammar, gcloudGrammar, googleAzureRules } from './google-azure.ts'
import { hostGrammar, hostRules, pushRules } from './hosting.ts'
import { storageGrammar, storageRules } from './storage.ts'

export const cloud: Domain = {
  name: 'cloud',
  grammar: { aws: awsGrammar, gcloud: gcloudGrammar, az: azGrammar, ...storageGrammar, ...hostGrammar },
  rules: [...awsRules, ...googleAzureRules, ...storageRules, ...hostRules, ...pushRules],
}
