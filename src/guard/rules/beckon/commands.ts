import type { ProgramCall } from '../../program-call.ts'
import { list } from '../../word-list.ts'
import type { GuardRule } from '../rule.ts'
import { agentMarkers } from './agent-markers.ts'

const program = list('beckon beckon.js beckon.mjs')

/** Commands of Beckon that are for people. An agent asks with `ask`, `need`, `approve`, `wait`; it never answers itself. */
export const commandRules: readonly GuardRule[] = [
  {
    id: 'beckon/decide',
    program,
    sub: ['answer', 'inbox', 'rules add', 'rules remove', 'token create', 'token link', 'restore-database'],
    severity: 'critical',
    reason: 'decides in your place: answers a request, makes a rule or creates a token that can',
    match: [
      'beckon answer req_1 yes',
      'yes | beckon answer req_1',
      'npx beckon answer req_1 yes',
      'npx --yes beckon@latest rules add --allow -- git push',
      './node_modules/.bin/beckon token create --scope answer',
      'node ./node_modules/beckon/bin/beckon.js answer req_1 yes',
      'node bin/beckon.js inbox',
      'node dist/cli/main.js answer req_1 yes',
      'bash -c "beckon answer req_1 yes"',
      'echo req_1 | xargs -I{} beckon answer {} yes',
      'echo answer req_1 yes | xargs beckon',
      'env -u CLAUDECODE beckon answer req_1 yes',
      'setsid nohup beckon answer req_1 yes &',
      `python3 -c 'import subprocess; subprocess.run(["beckon", "answer", "req_1", "yes"])'`,
      'B=beckon; $B answer req_1 yes',
      'deno run -A npm:beckon@1 answer req_1 yes',
      'node node_modules/.bin/beckon answer req_1 yes',
      'tmux send-keys -t 1 beckon Space answer Space req_1 Space yes Enter',
      "screen -S x -X stuff 'beckon answer req_1 yes\\n'",
    ],
    notMatch: [
      'beckon ask "Ship it?" --option yes --option no',
      'beckon need api_key STRIPE_KEY',
      'beckon approve -- git push',
      'beckon wait req_1',
      'beckon list',
      'beckon show req_1',
      'beckon reply req_1 "which one?"',
      'beckon cancel req_1',
      'beckon run -- claude',
      'beckon guard -- ls',
      'beckon rules list',
      'beckon answer --help',
      'echo beckon answer req_1 yes',
      'grep -rn "beckon answer" docs',
    ],
  },
  {
    id: 'beckon/manage',
    program,
    sub: [
      'skip',
      'decline',
      'kept',
      'gc',
      'restore',
      'backup',
      'restore-database',
      'token list',
      'token revoke',
      'notify add',
      'notify change',
      'notify remove',
      'notify test',
      ...list('claude codex gemini opencode').map(agent => `setup ${agent}`),
    ],
    severity: 'high',
    reason: "manages Beckon, which is a person's to do: requests, kept values, targets, backups",
    match: [
      'beckon skip req_1',
      'beckon decline req_1',
      'beckon gc --older-than 1d',
      'npx beckon kept forget STRIPE_KEY',
      'beckon notify add hook https://example.com',
      'beckon backup /tmp/copy.db',
      'beckon restore run_1',
      'beckon setup claude --undo --yes',
      'deno run -A npm:beckon gc',
    ],
    notMatch: [
      'beckon setup',
      'beckon setup claude --dry-run',
      'beckon notify list',
      'beckon list',
      'beckon doctor',
      'git stash drop beckon',
      'beckon events',
    ],
  },
  {
    id: 'beckon/unseen',
    program,
    when: ({ operands: [first] }) => (first?.value.includes('\0') ? first : false),
    severity: 'high',
    reason: 'runs a command of Beckon that is known only at run time, and may answer in your place',
    match: ['beckon "$verb" req_1 yes', 'beckon $(cat verb) req_1'],
    notMatch: ['beckon ask "$question"', 'beckon wait "$id"'],
  },
  {
    id: 'beckon/disguise',
    program,
    when: call => hidesAgent(call),
    severity: 'critical',
    reason: 'hides from Beckon that an agent runs it, or passes for another run',
    match: [
      'env -u CLAUDECODE beckon list',
      'env -i beckon list',
      'CLAUDECODE= beckon list',
      'unset BECKON_RUN; beckon list',
      'export GEMINI_CLI=; beckon list',
      'BECKON_RUN=run_2 beckon ask "x"',
      'env --unset=CODEX_SANDBOX npx beckon list',
    ],
    notMatch: ['AI_AGENT=mine beckon ask "x"', 'BECKON_HOME=/tmp/x beckon list', 'env -u DEBUG beckon list'],
  },
  {
    id: 'beckon/relax-guard',
    program,
    when: call => call.has('--no-strict') || ['', 'standard'].includes(setInCommand(call, 'BECKON_GUARD') ?? 'unset'),
    severity: 'high',
    reason: 'makes the guard less strict than it was set',
    match: [
      'BECKON_GUARD=standard beckon approve -- rm -rf dist',
      'BECKON_GUARD= beckon approve -- rm -rf dist',
      'env -u BECKON_GUARD beckon approve -- ls',
      'export BECKON_GUARD=standard; beckon guard -- ls',
      'beckon agent --no-strict',
    ],
    notMatch: [
      'BECKON_GUARD=strict beckon approve -- ls',
      'beckon approve --strict -- ls',
      'echo BECKON_GUARD=standard',
    ],
  },
]

function hidesAgent(call: ProgramCall): boolean {
  return agentMarkers.some(name => {
    const text = setInCommand(call, name)
    return text !== undefined && (text === '' || name === 'BECKON_RUN')
  })
}

/** What the command line itself makes of a variable; null if it is known only at run time. */
function setInCommand({ frame }: ProgramCall, name: string): string | null | undefined {
  return frame.env.get(name)?.text ?? frame.scope.variables.get(name)?.text
}
