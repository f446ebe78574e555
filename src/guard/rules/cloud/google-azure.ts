import type { ProgramCall } from '../../program-call.ts'
import type { GuardRule } from '../rule.ts'

const readOnly =
  /^(list|list-.*|describe|get|get-.*|read|tail|log|show|show-.*|check|check-.*|exists|ls|cat|du|hash|search|query|what-if|validate|test-iam-permissions|browse|wait|version|versions-info|help|info|print-.*|lint|diff|preview|logs-tail|ssh|scp|start-iap-tunnel|download|download-.*|decompile|stream|analyze-.*|estimate-.*|lookup|export)$/
// Groups that only affect this machine: sign-in, settings, add-ons, emulators.
const ownGroups =
  /^(auth|config|components|init|info|version|help|topic|emulators|cheat-sheet|feedback|survey|docker|meta)$/
const ownAzGroups =
  /^(login|logout|account|config|configure|extension|version|upgrade|find|interactive|feedback|bicep|cache|self-test|cloud|--help)$/
const destroys =
  /^(delete|delete-.*|remove|remove-.*|destroy|purge|stop|deallocate|disable|reset|reset-.*|revoke|undeploy|abandon|rm|rb|rollback|restore|failover|clear|cancel|detach|suspend)$/
const secrets =
  /^(secrets versions access|keyvault secret (show|download)|storage account keys list|ad sp credential reset|keyvault key download)/

function commandWords(call: ProgramCall): string[] {
  return call.operands.map(({ value }) => value).filter(word => !/^(alpha|beta|preview)$/.test(word))
}

/** The first word that is a verb; null if the command only reads. Names after the verb do not count. */
function verbOf(call: ProgramCall): string | null {
  const words = commandWords(call)
  const [group = ''] = words
  if (group === 'rest' && call.program === 'az')
    return /^(get|head|)$/i.test(call.value('--method', '-m')?.value ?? '') ? null : 'delete'
  if (words.length < 2) return null
  if (call.program === 'gcloud' ? ownGroups.test(group) : ownAzGroups.test(group)) return null
  if (group === 'storage' && words[1] === 'cp') return /^gs:/.test(words.at(-1) ?? '') ? 'update' : null
  if (group === 'aks' || group === 'acr')
    if (/^(install-cli|login|get-credentials|browse)$/.test(words[1] ?? '')) return null
  if (group === 'sql' && words[1] === 'export') return 'create'
  const verb = words.slice(1, 7).find(word => readOnly.test(word) || destroys.test(word) || changes.test(word))
  if (verb === undefined) return call.program === 'az' ? 'update' : null
  return readOnly.test(verb) ? null : verb
}

const changes =
  /^(create|create-.*|update|update-.*|deploy|submit|patch|add|add-.*|set|set-.*|start|start-.*|restart|resize|import|enable|attach|insert|apply|promote|move|rsync|mv|up|build|grant|invoke|call|publish|run|execute|rotate|upload|upload-.*|sync|replace|upgrade|scale|assign|transfer|simulate-.*|perform-.*|migrate|clone|reboot|generate-.*|source|swap|config-zip)$/

export const googleAzureRules: readonly GuardRule[] = [
  {
    id: 'cloud/delete',
    program: ['gcloud', 'az'],
    when: call => destroys.test(verbOf(call) ?? ''),
    severity: 'critical',
    reason: 'deletes, stops or disables something in the cloud',
    safer: 'gcloud compute instances list',
    match: [
      'gcloud projects delete p',
      'gcloud -q --project p compute instances delete vm',
      'gcloud beta sql instances delete db',
      'az group delete -n rg --yes',
      'az storage blob delete-batch -s c',
    ],
    notMatch: [
      'gcloud projects list',
      'gcloud compute instances describe delete',
      'az group show -n delete',
      'az group delete --help',
    ],
  },
  {
    id: 'cloud/change',
    program: ['gcloud', 'az'],
    when: call => {
      const verb = verbOf(call)
      return verb !== null && !destroys.test(verb)
    },
    severity: 'medium',
    reason: 'changes, starts or exposes something in the cloud, which can affect others and cost money',
    match: [
      'gcloud run deploy api',
      'gcloud app deploy',
      'az vm create -g g -n v',
      'az deployment group create -g g',
      'gcloud builds submit',
    ],
    notMatch: [
      'gcloud config set project p',
      'gcloud auth login',
      'gcloud logging read x',
      'az account set -s x',
      'az deployment group what-if -g g',
      'gcloud container clusters get-credentials c',
    ],
  },
  {
    id: 'cloud/secret',
    program: ['gcloud', 'az'],
    when: call => secrets.test(commandWords(call).join(' ')),
    severity: 'high',
    reason: 'prints a secret',
    match: ['gcloud secrets versions access latest --secret=s', 'az keyvault secret show --vault-name v --name n'],
    notMatch: ['gcloud secrets list', 'az keyvault secret list --vault-name v'],
  },
]
