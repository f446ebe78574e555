import type { ProgramCall } from '../../program-call.ts'
import { list } from '../../word-list.ts'
import { firstWords } from '../first-words.ts'
import type { GuardRule } from '../rule.ts'
import { readOnlyCommands, startsWithPhrase } from './read-only-commands.ts'

const aliases: Readonly<Record<string, string>> = { flyctl: 'fly', vc: 'vercel', now: 'vercel', ntl: 'netlify' }
const deploysWithoutSubcommand = /^(vercel)$/

function changesHosting(call: ProgramCall): boolean {
  const name = aliases[call.program] ?? call.program
  const text = firstWords(call)
  if (text === '') return deploysWithoutSubcommand.test(name)
  if (name === 'wrangler' && call.has('--local') && !call.has('--remote')) return false
  if (name === 'fly' && /^launch\b/.test(text)) return !call.has('--no-deploy')
  if (name === 'stripe' && call.has('--live') && !/\b(list|retrieve|search|listen|logs)\b/.test(text)) return true
  if (name === 'eas' && /^build( |$)/.test(text)) return !call.has('--local')
  return !startsWithPhrase(text, readOnlyCommands[name] ?? [])
}

const destroys = /(^|[\s:])(destroy|delete|remove|rm|reset|terminate|down|unset|purge|disable|undeploy|drop)([\s:]|$)/

// Providers whose commands are nouns followed by a verb.
const providers = list(
  'doctl hcloud linode-cli vultr-cli vultr scw oci ibmcloud aliyun openstack nova exo civo upctl tccli yc ovhcloud govc flarectl twilio sendgrid clever scalingo koyeb northflank platform upsun lagoon glance cinder neutron nebius runpodctl vastai modal',
)
const providerVerbs =
  /(^|[\s:_-])(delete|destroy|remove|rm|terminate|purge|create|update|stop|start|reboot|restart|reset|rebuild|resize|poweroff|power-off|shutdown|deploy|set|add|attach|detach|assign|unassign|enable|disable|revoke|rotate|restore|rollback|upload|scale|launch|deactivate|activate|change|apply|import|push|transfer|release|unset|move)([\s:_-]|$)|(^|\s)(Delete|Create|Stop|Run|Reboot|Modify|Release|Terminate|Start)[A-Z]\w*/

export const hostingRules: readonly GuardRule[] = [
  {
    id: 'cloud/host-delete',
    program: [...Object.keys(readOnlyCommands), ...Object.keys(aliases)],
    when: call => changesHosting(call) && destroys.test(firstWords(call)),
    severity: 'critical',
    reason: 'deletes or takes down something hosted, with its data',
    match: [
      'heroku apps:destroy -a x --confirm x',
      'heroku pg:reset -a x',
      'fly apps destroy x -y',
      'vercel rm x',
      'wrangler r2 bucket delete b',
      'firebase firestore:delete --all-collections',
    ],
    notMatch: ['heroku logs -a x', 'fly status', 'vercel ls', 'wrangler dev', 'firebase emulators:start'],
  },
  {
    id: 'cloud/host-change',
    program: [...Object.keys(readOnlyCommands), ...Object.keys(aliases)],
    none: ['-v', '-h'],
    when: call => changesHosting(call) && !destroys.test(firstWords(call)),
    severity: 'medium',
    reason: 'deploys or reconfigures something hosted, which others see at once',
    match: [
      'vercel --prod',
      'vercel',
      'netlify deploy',
      'npx wrangler deploy',
      'fly deploy',
      'firebase deploy',
      'heroku config:set A=b',
    ],
    notMatch: [
      'vercel dev',
      'vercel --version',
      'netlify dev',
      'wrangler deploy --dry-run',
      'fly logs',
      'heroku run rails console',
      'stripe listen',
      'eas build --local',
    ],
  },
  {
    id: 'cloud/provider',
    program: providers,
    when: call =>
      providerVerbs.test(firstWords(call)) && !/\b(kubeconfig|auth|config|login|plugin)\b/.test(firstWords(call)),
    severity: 'high',
    reason: 'creates, changes or deletes machines or services at a provider',
    match: [
      'doctl compute droplet delete 1 -f',
      'hcloud server delete x',
      'aliyun ecs DeleteInstance --InstanceId i',
      'oci compute instance terminate --instance-id o',
      'openstack server delete vm',
    ],
    notMatch: [
      'doctl compute droplet list',
      'hcloud server describe x',
      'openstack server show vm',
      'doctl kubernetes cluster kubeconfig save c',
    ],
  },
]

/** Remotes that deploy what is pushed to them. */
export const pushRules: readonly GuardRule[] = [
  {
    id: 'cloud/git-deploy',
    program: 'git',
    sub: 'push',
    operandMatches: /^(heroku|dokku|piku|caprover|azure|scalingo|clever|gigalixir|prod|production|live)$/,
    severity: 'medium',
    reason: 'deploys what it pushes',
    match: ['git push heroku main', 'git push dokku main:master'],
    notMatch: ['git push origin feature', 'git fetch heroku'],
  },
]
