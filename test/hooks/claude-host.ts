import { execFileSync } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { createSandbox, launcher } from '../cli/sandbox.ts'

const startAgain = `require('node:child_process').spawnSync(process.execPath, process.argv.slice(1), { stdio: 'inherit' })`

interface Options {
  attended?: boolean
  args?: string[]
  session?: string
  home?: string
  claude?: string
  /** Whether another process than this one plays Claude. */
  another?: boolean
}

/** Starts `beckon hook claude` as Claude Code does, with what it was seen to write. */
export async function createClaude() {
  const sandbox = await createSandbox()
  const transcript = join(mkdtempSync(join(sandbox.root, 'claude-')), 'transcript.jsonl')
  return { ...sandbox, transcript, hook, start, git }

  function start(event: string, fields: object, options: Options = {}) {
    const { attended = false, args = [], session = 'session-1', home = sandbox.home, claude = '4000001' } = options
    const through = options.another ? { launcher: '-e', words: [startAgain, launcher] } : { launcher, words: [] }
    const common = { session_id: session, transcript_path: transcript, cwd: sandbox.cwd, permission_mode: 'default' }
    return sandbox.start([...through.words, 'hook', 'claude', ...args], {
      launcher: through.launcher,
      input: JSON.stringify({ ...common, hook_event_name: event, ...fields }),
      env: {
        CLAUDE_CODE_SESSION_ATTENDED: attended ? '1' : '0',
        CLAUDECODE: '1',
        CLAUDE_PID: claude,
        BECKON_USER: undefined,
        BECKON_HOME: home,
      },
    })
  }

  async function git() {
    for (const args of [
      ['init', '-q'],
      ['-c', 'user.name=t', '-c', 'user.email=t@t', 'commit', '-q', '--allow-empty', '-m', 'x'],
    ]) {
      execFileSync('git', args, { cwd: sandbox.cwd })
    }
  }

  async function hook(...call: Parameters<typeof start>) {
    const { code, stdout, stderr } = await start(...call).result
    return { code, stderr, reply: stdout === '' ? null : (JSON.parse(stdout).hookSpecificOutput ?? JSON.parse(stdout)) }
  }
}

export function bash(command: string, id?: string) {
  return { tool_name: 'Bash', tool_input: { command, description: 'x' }, ...(id ? { tool_use_id: id } : {}) }
}
