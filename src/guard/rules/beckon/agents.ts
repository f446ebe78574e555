import type { Argument } from '../../interpret/arguments.ts'
import type { ProgramCall } from '../../program-call.ts'
import { list } from '../../word-list.ts'
import { typedText } from '../../wrappers/typed-text.ts'
import { writeTargets } from '../../write-targets.ts'
import type { GuardRule } from '../rule.ts'

/** Files in which agents read what they must ask about, and by which hook or plugin. */
const settings =
  /(^|\/)(\.claude\/(settings[^/]*\.json|hooks(\/.*)?)|\.codex\/(hooks\.json|config\.toml)|\.gemini\/settings\.json|\.cursor\/(hooks|cli|cli-config)\.json|(\.opencode|\.config\/opencode)\/(plugins?(\/.*)?|opencode\.jsonc?)|opencode\.jsonc?|managed-settings\.json)$/
const folders = /(^|\/)(\.claude|\.codex|\.gemini|\.cursor|\.opencode|\.config\/opencode)$/
const removers = list('rm grm unlink shred srm truncate trash trash-put rmdir mv gmv chmod chown')

/** The coding agents themselves: their settings hold the hook that asks, and some options start them without it. */
export const agentRules: readonly GuardRule[] = [
  {
    id: 'beckon/agent-settings',
    program: [
      '>',
      '>>',
      'tee',
      'cp',
      'gcp',
      'ln',
      'install',
      'rsync',
      'dd',
      'sed',
      'gsed',
      'perl',
      'curl',
      'wget',
      'set-content',
      'out-file',
      'ed',
      'ex',
      ...removers,
    ],
    when: changedSettings,
    severity: 'critical',
    reason: 'changes the settings of a coding agent, where its own approvals can be switched off',
    match: [
      "echo '{}' > .claude/settings.local.json",
      'rm .claude/settings.json',
      'cp hooks.json .codex/hooks.json',
      'sed -i /beckon/d .gemini/settings.json',
      'cp x.js .opencode/plugin/x.js',
      'rm -rf ~/.config/opencode/plugin',
      'mv .claude .claude.bak',
      `python3 -c "open('.claude/settings.local.json','w').write('{}')"`,
    ],
    notMatch: [
      'cat .claude/settings.json',
      'echo "# Review" > .claude/commands/review.md',
      'cp .claude/settings.json /tmp/',
      'rm -rf .claude/worktrees',
      'jq . .gemini/settings.json',
      'mkdir -p .claude',
    ],
  },
  {
    id: 'beckon/agent-unguarded',
    program: list('claude codex gemini opencode cursor-agent aider amp qwen copilot droid crush goose'),
    when: startsUnguarded,
    severity: 'high',
    reason: 'starts a coding agent that asks no one, or changes its settings',
    match: [
      'claude -p "fix it" --dangerously-skip-permissions',
      'claude --permission-mode bypassPermissions',
      'codex exec --dangerously-bypass-approvals-and-sandbox "x"',
      'gemini --yolo -p "x"',
      'codex exec --sandbox danger-full-access "x"',
      'claude --settings \'{"disableAllHooks":true}\' -p x',
    ],
    notMatch: [
      'claude -p "explain this"',
      'codex exec "run the tests"',
      'gemini -p "what is yolo?"',
      'claude --version',
    ],
  },
  {
    id: 'beckon/typed-answer',
    program: list('tmux screen zellij kitty wezterm xdotool ydotool wtype'),
    when: call => {
      const typed = typedText(call)
      return typed !== null && /^\s*(y|yes|a|always|allow|approve|\d{1,2})?\s*\n\s*$/i.test(typed.value)
    },
    severity: 'high',
    reason: 'answers a prompt in another terminal, which may be one that asks a person',
    match: [
      'tmux send-keys -t other y Enter',
      'tmux send-keys -t other Enter',
      "screen -S agent -X stuff 'y\\n'",
      'xdotool key Return',
    ],
    notMatch: [
      'tmux send-keys -t dev "npm run dev" Enter',
      'tmux send-keys -t dev C-c',
      'tmux new-session -d -s dev',
      'screen -S dev -X quit',
    ],
  },
]

function changedSettings(call: ProgramCall): Argument | false {
  const isRemover = removers.includes(call.program)
  const targets = isRemover ? call.operands : writeTargets(call)
  const pathOf = (arg: Argument) => call.path(arg).path ?? arg.value
  const named = targets.find(arg => settings.test(pathOf(arg)) || (isRemover && folders.test(pathOf(arg))))
  if (named) return named
  // `cp settings.json .claude/`, `cp -r other/.claude .`
  const [target] = targets.slice(-1)
  if (!target || isRemover || call.operands.length < 2) return false
  return (
    call.operands.slice(0, -1).find(({ value }) => {
      const name = value.slice(value.lastIndexOf('/') + 1)
      const path = `${pathOf(target)}/${name}`
      return settings.test(path) || (folders.test(path) && ['workspace-root', 'home'].includes(call.pathClass(target)))
    }) ?? false
  )
}

function startsUnguarded(call: ProgramCall): boolean | Argument {
  const at = call.args.findIndex(({ value }) =>
    /^--(dangerously-[\w-]+|yolo|yes-always|allow-all-tools|skip-permissions-unsafe|bare)$|^--(permission-mode|approval-mode)=(bypass\w*|yolo)$/.test(
      value,
    ),
  )
  if (at >= 0) return call.args[at] ?? true
  const mode = call.args.find((_, i) =>
    /^(--permission-mode|--approval-mode|--sandbox|-s)$/.test(call.args[i - 1]?.value ?? ''),
  )
  if (mode && /^(bypass|yolo|danger)/i.test(mode.value)) return mode
  if (call.args.some(({ value }) => /^--settings(=|$)|^--setting-sources(=|$)/.test(value))) return true
  if (call.program === 'gemini' || call.program === 'qwen') return call.has('-y')
  return call.isSub('config set') || call.isSub('mcp remove') || call.isSub('hooks disable')
}
