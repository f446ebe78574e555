import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { commandLine } from '../../src/approval/command-line.ts'
import { judgeAction } from '../../src/approval/judge-action.ts'
import { readCorpus } from '../guard/corpus.ts'

// On the asker's machine; nothing of it exists here.
const elsewhere = { cwd: '/srv/agents/app' }

function judge(command: string | string[], { cwd }: { cwd: string }) {
  return judgeAction({ command: commandLine([command].flat()), cwd }, { env: null, rules: [] })
}

describe('a command from another machine', () => {
  it('is judged without opening a path, asking the system or reading the environment', () => {
    const commands = readCorpus().flatMap(collection => collection.commands)
    const input = JSON.stringify({ ...elsewhere, commands: [...commands, ...pathsOfThisMachine] })
    const program = join(import.meta.dirname, 'processes/judge-without-machine.ts')
    const { stdout, stderr } = spawnSync(process.execPath, [program], { input, encoding: 'utf8', maxBuffer: 1e8 })
    expect(stderr).not.toMatch(/Error/)
    const { verdicts, touched } = JSON.parse(stdout) as { verdicts: string[]; touched: string[] }
    expect(touched).toEqual([])
    expect(verdicts).toHaveLength(commands.length + pathsOfThisMachine.length)
  }, 60_000)

  it.each([
    ['rm -rf ~', 'deny'],
    ['rm -rf "$HOME"', 'deny'],
    [`rm -rf $\{HOME}/`, 'deny'],
    ['cd && rm -rf *', 'deny'],
    ['cd ~ && rm -rf *', 'deny'],
    ['cd ~ && rm -rf .', 'deny'],
    ['rm -rf ~/*', 'deny'],
    ['rm -rf ~/work', 'ask'],
    ['rm -rf "$HOME/work"', 'ask'],
    ['cd ~/work && rm -rf data', 'ask'],
    ['cat ~/.ssh/id_rsa', 'ask'],
    ['echo x >> ~/.bashrc', 'ask'],
    ['cp key ~/.ssh/authorized_keys', 'ask'],
    ['rm -rf "/home/$USER"', 'deny'],
    ['rm -rf "$XDG_DATA_HOME"', 'ask'],
    [`python3 -c 'import os, shutil; shutil.rmtree(os.path.expanduser("~"))'`, 'deny'],
    ['ls ~', 'allow'],
    ['cat ~/notes.md', 'allow'],
    ['rm -rf node_modules', 'allow'],
    ['npm test', 'allow'],
  ])('counts its unknown home as a home folder: %s is %s', (command, verdict) => {
    expect(judge(command, elsewhere).verdict).toBe(verdict)
  })

  it('takes a directory that may be the home folder for one', () => {
    for (const cwd of ['/home/bot', '/Users/bot', '/root']) {
      expect(judge('rm -rf .', { cwd }), cwd).toMatchObject({ verdict: 'ask', severity: 'critical' })
      expect(judge('rm -rf .config', { cwd }).verdict, cwd).toBe('ask')
      expect(judge('rm -rf Documents', { cwd }).verdict, cwd).toBe('ask')
    }
    expect(judge('rm -rf .ssh', { cwd: '/data/people/bot' }).verdict).toBe('ask')
  })

  it('never expands a variable of this machine', () => {
    process.env.BECKON_TEST_FOLDER = 'dist'
    try {
      expect(judge('rm -rf "$BECKON_TEST_FOLDER"', elsewhere).verdict).toBe('ask')
      expect(judge('rm -rf "$PATH"', elsewhere).verdict).toBe('ask')
    } finally {
      delete process.env.BECKON_TEST_FOLDER
    }
  })
})

describe('judging', () => {
  it('reads a program and its arguments as exactly these', () => {
    expect(judge(['git', 'push', '--force'], elsewhere).reasons).toMatchObject([{ rule: 'git/push-force' }])
    expect(judge(['echo', 'a; rm -rf /'], elsewhere).verdict).toBe('allow')
    expect(judge(['rm', '-rf', "/'x"], elsewhere).verdict).toBe('ask')
  })

  it('says what "always" can mean', () => {
    expect(judge('git stash drop; git stash drop', elsewhere).always).toEqual({ exact: true, prefix: null })
    expect(judge('git stash drop', elsewhere).always.prefix).toEqual({
      words: ['git', 'stash', 'drop'],
      within: elsewhere.cwd,
    })
  })

  it('does not judge what is too long', () => {
    const long = judge(['echo', 'a'.repeat(100_000)], elsewhere)
    expect(long).toMatchObject({
      verdict: 'ask',
      severity: 'high',
      reasons: [{ rule: 'shell/too-long' }],
      always: { exact: false, prefix: null },
    })
  })
})

const pathsOfThisMachine = [
  `bash ${join(import.meta.dirname, '../guard/corpus.ts')}`,
  `cd ${import.meta.dirname} && npm run build && make deploy`,
  `source ${process.execPath}`,
  'python3 manage.py migrate',
  'realpath . && readlink -f ~/x && ls -la $HOME',
]
