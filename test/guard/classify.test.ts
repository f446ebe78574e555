import { describe, expect, it } from 'vitest'
import { classify } from '../../src/guard/index.ts'
import { classifyInProject, project, rulesOf } from './classify-in-project.ts'

describe('verdict', () => {
  it('returns the strictest verdict of all parts, with each reason once and the worst first', () => {
    const { verdict, severity, reasons } = classifyInProject('git branch -D a; rm -rf /; git branch -D b; git push -f')
    expect({ verdict, severity }).toEqual({ verdict: 'deny', severity: 'critical' })
    expect(reasons.map(({ rule }) => rule)).toEqual(['fs/delete-root', 'git/push-force', 'git/branch-delete'])
  })

  it('lists every program that the command would start, wrapped ones too', () => {
    const { segments } = classifyInProject('cd src && sudo env A=1 sh -c "ls $HOME | wc -l"')
    expect(segments.map(({ argv, cwd, via }) => ({ argv, cwd, via }))).toEqual([
      { argv: ['cd', 'src'], cwd: '/home/me/project', via: [] },
      { argv: ['sudo', 'env', 'A=1', 'sh', '-c', 'ls /home/me | wc -l'], cwd: '/home/me/project/src', via: [] },
      { argv: ['env', 'A=1', 'sh', '-c', 'ls /home/me | wc -l'], cwd: '/home/me/project/src', via: ['sudo'] },
      { argv: ['sh', '-c', 'ls /home/me | wc -l'], cwd: '/home/me/project/src', via: ['sudo', 'env'] },
      { argv: ['ls', '/home/me'], cwd: '/home/me/project/src', via: ['sudo', 'env', 'sh -c'] },
      { argv: ['wc', '-l'], cwd: '/home/me/project/src', via: ['sudo', 'env', 'sh -c'] },
    ])
  })

  it('points at the string that contains the dangerous command', () => {
    const command = "ls; bash -c 'cd / && rm -rf *'; pwd"
    const [reason] = classifyInProject(command).reasons
    expect(command.slice(...(reason?.span ?? [0, 0]))).toBe("'cd / && rm -rf *'")
  })

  it('shows unknown text as an ellipsis, never as a control character', () => {
    const { segments } = classifyInProject('echo "$UNKNOWN/x"')
    expect(segments[0]?.argv).toEqual(['echo', '…/x'])
  })
})

describe('context', () => {
  it.each([
    ['rm -rf dist', 'allow'],
    ['rm -rf /srv/app/dist', 'allow'],
    ['rm -rf ../dist', 'allow'],
    ['rm -rf ..', 'ask'],
    ['rm -rf ../..', 'ask'],
    ['rm -rf /srv/other/dist', 'ask'],
  ])('judges a path from a subfolder of the workspace: %s is %s', (command, verdict) => {
    expect(classify(command, { cwd: '/srv/app/packages', workspace: '/srv/app', home: '/home/me' }).verdict).toBe(
      verdict,
    )
  })

  it('protects keys and documents even if the workspace is the home folder', () => {
    const home = { cwd: '/home/me', workspace: '/home/me', home: '/home/me' }
    expect(classify('rm -rf node_modules', home).verdict).toBe('allow')
    expect(classify('rm -rf .ssh', home).verdict).toBe('ask')
    expect(classify('rm -rf Documents', home).verdict).toBe('ask')
    expect(classify('rm -rf .', home).verdict).toBe('deny')
  })

  it('expands variables of the environment', () => {
    const env = { OUT: 'dist', DATA: '/var/lib/data' }
    expect(classify('rm -rf "$OUT"', { ...project, env }).verdict).toBe('allow')
    expect(classify('rm -rf "$DATA"', { ...project, env }).reasons[0]?.rule).toBe('fs/delete-system')
  })

  it('never shows a value of the environment that may be a secret', () => {
    const env = { API_KEY: 'abcdef', DATABASE_URL: '/var/x', WORD: 'sk-Live0123456789' }
    const { segments } = classify('curl -H "$API_KEY" -d "$WORD" "$DATABASE_URL"', { ...project, env })
    expect(segments[0]?.argv).toEqual(['curl', '-H', '…', '-d', '…', '…'])
  })

  it('does not apply the local workspace to paths behind ssh or in a container', () => {
    expect(rulesOf('ssh host "rm -rf src"')).toEqual(['fs/delete-dynamic'])
    expect(classifyInProject('docker exec app rm -rf node_modules').verdict).toBe('allow')
  })
})

describe('unreadable commands', () => {
  it.each([
    ['echo "never closed', 'shell/unreadable'],
    [`${'sh -c "'.repeat(3)}ls`, 'shell/unreadable'],
    ['(('.repeat(100), 'shell/unreadable'],
    [nested(9), 'shell/too-deep'],
    ['for a in {1..60}; do for b in {1..60}; do for c in {1..60}; do echo; done; done; done', 'shell/too-much'],
  ])('asks about a command that it cannot read: %s', (command, rule) => {
    expect(classifyInProject(command).verdict).toBe('ask')
    expect(rulesOf(command)).toContain(rule)
  })
})

describe('a guard that fails', () => {
  it('asks, and does not blame the command for its depth', () => {
    const env = new Proxy<Record<string, string>>(
      {},
      {
        get() {
          throw new TypeError('no environment')
        },
      },
    )
    const { verdict, reasons } = classify('echo $ANYTHING', { ...project, env })
    expect(verdict).toBe('ask')
    expect(reasons).toEqual([
      { rule: 'shell/guard-failed', message: 'makes the guard itself fail', span: [0, 'echo $ANYTHING'.length] },
    ])
  })
})

describe('an interpreter whose input nobody has seen', () => {
  it.each(['bash', 'sudo zsh -l', 'python3 -i', 'env node'])(
    'asks about %s, which runs what is typed later',
    command => {
      expect(rulesOf(command)).toContain('shell/unseen-input')
    },
  )

  it.each(['generate | python3', 'generate | node -', 'ruby <(generate)', 'bash <(generate)'])(
    'asks about %s',
    command => {
      expect(rulesOf(command)).toContain('shell/dynamic-code')
    },
  )

  it.each([
    'bash --version',
    'python3 tool.py',
    'cat tool.py | python3',
    'docker exec -it web bash',
    'bash </dev/null',
  ])('allows %s', command => {
    expect(classifyInProject(command).verdict).toBe('allow')
  })
})

describe('functions that call themselves', () => {
  it.each(['f() { f | f & }; f', 'a() { b & b; }; b() { a & a; }; a', 'f() { (f & f &); }; f'])(
    'denies a fork bomb: %s',
    command => {
      expect(classifyInProject(command).verdict).toBe('deny')
    },
  )

  it.each([
    'walk() { ls "$1" | while read -r f; do walk "$1/$f"; done; }; walk src',
    'count() { [ "$1" -gt 0 ] || return; count $(($1 - 1)) & wait; }; count 3',
  ])('allows recursion that ends: %s', command => {
    expect(classifyInProject(command).verdict).toBe('allow')
  })
})

/** `eval 'eval '\''…'`, nested this deep. */
function nested(depth: number): string {
  let command = 'ls'
  for (let i = 0; i < depth; i += 1) command = `eval '${command.replaceAll("'", `'\\''`)}'`
  return command
}
