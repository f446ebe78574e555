import { awsGrammar, awsRules } from './cloud-aws.ts'
import { azGrammar, gcloudGrammar, googleAzureRules } from './cloud-google-azure.ts'
import { hostGrammar, hostRules, pushRules } from './cloud-hosts.ts'
import { storageGrammar, storageRules } from './cloud-storage.ts'
import type { Domain } from './rule.ts'

export const cloud: Domain = {
  name: 'cloud',
  grammar: { aws: awsGrammar, gcloud: gcloudGrammar, az: azGrammar, ...storageGrammar, ...hostGrammar },
  rules: [...awsRules, ...googleAzureRules, ...storageRules, ...hostRules, ...pushRules],
}
