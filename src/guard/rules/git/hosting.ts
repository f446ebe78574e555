import type { ProgramCall } from '../../program-call.ts'
import { list } from '../../word-list.ts'
import { firstWords, mostCharacters } from '../first-words.ts'
import type { GuardRule } from '../rule.ts'

type StartsPipeline = (words: string, call: ProgramCall) => boolean

/** How the tools of each service start a pipeline. Runs that only check something are left out where their name says so. */
const pipelineStarts: Readonly<Record<string, StartsPipeline>> = {
  gh: (words, call) =>
    (/^workflow (run|enable)\b/.test(words) && !isCheck(call)) ||
    (/^api \S*\/(dispatches|pending_deployments|deployments|deployment_protection_rule)$/.test(words) && writes(call)),
  glab: (words, call) =>
    /^(ci|pipe|pipeline) (run|create|trigger|run-trig)\b/.test(words) ||
    (/^api \S*\/(pipeline|trigger\/pipeline|play|retry)$/.test(words) && writes(call)),
  java: (_, call) =>
    call.args.some(({ value }) => /(^|\/)jenkins-cli\.jar$/.test(value)) && jenkinsChanges.test(textOf(call)),
  'jenkins-cli': (_, call) => jenkinsChanges.test(textOf(call)),
  jcli: words => /^job (build|delete|stop|input)\b/.test(words),
  drone: words => /^build (create|promote|rollback|restart|approve)\b/.test(words),
  'woodpecker-cli': words => /^(pipeline|build) (start|create|approve|deploy)\b|^deploy\b/.test(words),
  circleci: words => /^(pipeline run|trigger|run release)\b/.test(words),
  travis: words => /^(restart|requests? create|trigger)\b/.test(words),
  bk: words => /^build (new|create|rebuild)\b|^job unblock\b/.test(words),
  spin: words => /^(pipeline|pi) (execute|save|delete)\b/.test(words),
  tea: words => /^actions (run|dispatch)\b/.test(words),
  teamcity: words => /^run start\b/.test(words),
  harness: words => /^pipeline (run|execute)\b/.test(words),
}

const jenkinsChanges =
  /(^|\s)(build|delete-\w+|create-job|update-job|groovy|groovysh|safe-restart|restart|shutdown|quiet-down|install-plugin|stop-builds)(\s|$)/

function textOf({ args }: ProgramCall): string {
  return args
    .map(({ value }) => value)
    .join(' ')
    .slice(0, mostCharacters)
}

/** `gh workflow run ci.yml` runs the tests; one with inputs or of another name may deploy. */
function isCheck(call: ProgramCall): boolean {
  const name = (call.operands[2]?.value ?? '').replace(/^.*\//, '')
  const isNamed =
    /^[\w -]*\b(ci|tests?|lint|checks?|build|docs|e2e|unit|typecheck|codeql|coverage|bench\w*|nightly)\b[\w -]*(\.ya?ml)?$/i
  return (
    isNamed.test(name.replaceAll('_', '-')) &&
    !/deploy|release|publish|prod/i.test(name) &&
    !call.args.some(({ value }) => /prod|deploy|release|publish/i.test(value))
  )
}

function writes(call: ProgramCall): boolean {
  const method = call.value('-X', '--method')?.value
  return method === undefined
    ? call.has('-f', '-F', '--raw-field', '--field', '--input')
    : !/^(get|head)$/i.test(method)
}

/** GitHub and GitLab, through their command line tools. */
export const hostingRules: readonly GuardRule[] = [
  {
    id: 'git/hosting-delete',
    program: ['gh', 'glab', 'hub'],
    sub: [
      'repo delete',
      'repo archive',
      'release delete',
      'release delete-asset',
      'issue delete',
      'run delete',
      'cache delete',
      'gist delete',
      'secret delete',
      'secret remove',
      'variable delete',
      'ssh-key delete',
      'gpg-key delete',
      'label delete',
      'project delete',
      'codespace delete',
      'workflow disable',
      'delete',
      'repo deploy-key delete',
      'ruleset delete',
      'mr delete',
      'ci delete',
      'environment delete',
    ],
    severity: 'high',
    reason: 'deletes or disables something on the hosting service',
    match: ['gh repo delete me/x --yes', 'gh release delete v1', 'gh secret delete TOKEN', 'glab repo delete me/x'],
    notMatch: ['gh repo view', 'gh pr list', 'gh issue create --title "repo delete" --body x', 'gh run list'],
  },
  {
    id: 'git/hosting-visibility',
    program: ['gh', 'glab'],
    sub: ['repo edit', 'repo rename', 'repo transfer', 'repo create'],
    oneOf: [
      { sub: 'repo transfer' },
      { sub: 'repo edit', any: ['--visibility', '--accept-visibility-change-consequences'] },
      { sub: 'repo create', all: ['--public', '--push'] },
    ],
    severity: 'high',
    reason: 'changes who can see or owns a repository',
    match: ['gh repo edit --visibility public', 'gh repo edit me/x --visibility=private'],
    notMatch: ['gh repo edit --description x', 'gh repo clone me/x'],
  },
  {
    id: 'git/hosting-secret',
    program: ['gh', 'glab'],
    sub: ['secret set', 'ssh-key add', 'gpg-key add', 'repo deploy-key add', 'auth token', 'variable set'],
    severity: 'medium',
    reason: 'changes or shows keys and secrets of the hosting service',
    match: ['gh secret set TOKEN -b x', 'gh ssh-key add key.pub', 'gh auth token'],
    notMatch: ['gh auth status', 'gh secret list'],
  },
  {
    id: 'git/hosting-merge',
    program: ['gh', 'glab'],
    sub: ['pr merge', 'mr merge'],
    any: ['--admin'],
    severity: 'medium',
    reason: "merges in spite of the repository's rules",
    match: ['gh pr merge 12 --admin --squash'],
    notMatch: ['gh pr merge 12 --squash', 'gh pr view 12'],
  },
  {
    id: 'git/hosting-api',
    program: ['gh', 'glab'],
    sub: 'api',
    oneOf: [
      { option: { '-X --method': /^(delete|put)$/i } },
      { argMatches: /\bmutation\b[\s\S]*\b(delete|remove|archive|transfer)/i },
    ],
    severity: 'high',
    reason: 'deletes or replaces something on the hosting service',
    match: [
      'gh api -X DELETE repos/me/x',
      'gh api --method delete /repos/me/x/branches/main/protection',
      'gh api repos/me/x -XDELETE',
    ],
    notMatch: ['gh api repos/me/x', 'gh api -X GET /user', "gh api graphql -f query='query { viewer { login } }'"],
  },
  {
    id: 'git/approve-change',
    program: ['gh', 'glab', 'tea'],
    oneOf: [{ sub: 'pr review', any: ['-a', '--approve'] }, { sub: ['mr approve', 'pulls approve'] }],
    severity: 'medium',
    reason: 'approves a change in your name',
    match: ['gh pr review 12 --approve', 'glab mr approve 12'],
    notMatch: ['gh pr review 12 --comment -b "looks good"', 'gh pr view 12', 'glab mr view 12'],
  },
  {
    id: 'git/start-pipeline',
    program: Object.keys(pipelineStarts),
    when: call => pipelineStarts[call.program]?.(firstWords(call), call) ?? false,
    severity: 'high',
    reason: 'starts a pipeline or approves a deployment by hand',
    match: [
      'gh workflow run deploy.yml --ref main -f environment=production',
      'gh api -X POST repos/me/x/actions/workflows/release.yml/dispatches -f ref=main',
      'gh api repos/me/x/actions/runs/1/pending_deployments -f state=approved',
      'glab ci run -b main --variables DEPLOY_ENV:prod',
      'java -jar jenkins-cli.jar -s https://ci.example.com/ build deploy-prod',
      'drone build promote me/x 4 production',
    ],
    notMatch: [
      'gh workflow run ci.yml',
      'gh workflow list',
      'gh workflow run tests.yml --ref feature',
      'gh run rerun 1',
      'gh api repos/me/x/actions/runs',
      'glab ci status',
      'java -jar app.jar build',
      'java -jar jenkins-cli.jar list-jobs',
    ],
  },
  {
    id: 'git/start-pipeline-by-http',
    program: list('curl wget http https xh xhs curlie'),
    operandMatches:
      /\/job\/[^?]*\/build(WithParameters)?(\?|$)|\/trigger\/(pipeline|builds)\b|\/actions\/workflows\/[^/]+\/dispatches\b|\/repos\/[^/]+\/[^/]+\/dispatches\b|\/api\/v2\/project\/[^?]*\/pipeline(\?|$)|\/_apis\/(pipelines\/\d+\/runs|build\/builds)\b/,
    unless: {
      program: list('curl wget'),
      none: list('-X --request -d --data --data-raw --data-urlencode --json -F --form --post-data --method'),
    },
    severity: 'high',
    reason: 'starts a pipeline or approves a deployment by hand',
    match: [
      'curl -X POST -u "me:$JENKINS_TOKEN" https://ci.example.com/job/deploy-prod/buildWithParameters?TAG=1',
      'curl -X POST -F token=$T -F ref=main https://gitlab.example.com/api/v4/projects/7/trigger/pipeline',
      'curl -d {} https://api.github.com/repos/me/x/actions/workflows/release.yml/dispatches',
    ],
    notMatch: [
      'curl https://ci.example.com/job/x/lastBuild/api/json',
      'curl https://api.github.com/repos/me/x/actions/runs',
      'curl -X POST http://localhost:3000/api/items',
    ],
  },
]
