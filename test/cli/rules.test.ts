import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openLocalHub } from '../../src/open-hub.ts'
import type { Rule } from '../../src/protocol/rule.ts'
import { type Sandbox, sandbox } from './sandbox.ts'

const impatient = { env: { BECKON_WAIT: '0s' } }

async function rulesOf(run: Sandbox['run'], ...options: string[]): Promise<Rule[]> {
  return JSON.parse((await run(['rules', 'list', '--json', ...options])).stdout).rules
}

describe('beckon rules', () => {
  it('allows exactly this here after a yes for always, and leaves a trail of it', async () => {
    const { run, hub, cwd, root } = await sandbox()
    const command = ['approve', '--', 'git status; git stash drop stash@{7}']
    const { stdout } = await run(command, impatient)
    const { id } = JSON.parse(stdout)
    const always = await run(['answer', id, 'yes', '--always', 'exact'])
    expect(always).toMatchObject({ code: 0, stderr: expect.stringContaining(`From now on: exactly this, in ${cwd}`) })
    expect((await run(command, impatient)).code).not.toBe(75)
    const [rule] = await rulesOf(run)
    expect(rule).toMatchObject({ scope: 'exact', verdict: 'allow', cwd, by: 'person', channel: 'cli', request: id })
    const byRule = (await hub.list({ status: 'all' })).requests.filter(({ outcome }) => outcome?.channel === 'rule')
    expect(byRule).toHaveLength(1)
    expect(byRule[0]).toMatchObject({
      usedAt: expect.any(String),
      outcome: { by: 'person', note: `allowed by ${rule?.id}` },
    })
    expect((await run(command, { ...impatient, cwd: root })).code).toBe(75)
    expect((await run(['approve', '--', `${command[2]} `], impatient)).code).toBe(75)
  })

  it('allows a beginning, for the danger that it was given for and no other', async () => {
    const { run, cwd } = await sandbox()
    const approve = async (command: string, at = cwd) =>
      (await run(['approve', '--', command], { ...impatient, cwd: at })).code
    expect(await approve('git stash drop')).toBe(75)
    const added = await run(['rules', 'add', 'allow', '--', 'git', 'stash', 'drop'])
    expect(added).toMatchObject({ code: 0, stderr: `beckon: allow what begins with "git stash drop" in ${cwd}\n` })
    expect(await approve('git stash drop')).not.toBe(75)
    expect(await approve('git stash drop stash@{1}')).not.toBe(75)
    expect(await approve('git stash clear')).toBe(75)
    expect(await approve('git stash drop; rm -rf ~/x')).toBe(75)
    expect(await approve('git stash drop > ../out')).toBe(75)
    expect(await approve('X=1 git stash drop')).toBe(75)
    expect(await approve('git stash drop "$(cat x)"')).toBe(75)
    expect(await approve('sudo git stash drop')).toBe(75)
    expect(await approve('git stash drop', join(cwd, '..'))).toBe(75)
  })

  it('has no beginning for what runs other programs or destroys', async () => {
    const { run } = await sandbox()
    const refused = [
      ['rm', '-rf', '/srv/x'],
      ['sudo', 'git', 'stash', 'drop'],
      ['bash', '-c', 'rm -rf ~/x'],
      ['python3', '-c', 'import shutil; shutil.rmtree("/home")'],
      ['git', 'config', '--global', 'alias.x', '!rm -rf ~'],
      ['docker', 'run', '-v', '/:/host', '--privileged', 'x'],
      ['git'],
      ['ls'],
    ]
    for (const words of refused) {
      expect({ words, ...(await run(['rules', 'add', 'allow', '--', ...words])) }).toMatchObject({ words, code: 1 })
    }
    const exact = ['rules', 'add', 'allow', '--exact', '--']
    expect(await run([...exact, 'rm -rf /'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('A rule cannot allow this'),
    })
    expect((await run([...exact, 'rm -rf "$X"'])).code).toBe(1)
    expect((await run(['rules', 'add', 'perhaps', '--', 'git', 'stash', 'drop'])).code).toBe(1)
    expect(await rulesOf(run)).toEqual([])
  })

  it('asks and refuses what a person told it to, wherever it is hidden', async () => {
    const { run } = await sandbox()
    const approve = (command: string) => run(['approve', '--', command], impatient)
    await run(['rules', 'add', 'deny', '--note', 'CI publishes', '--', 'npm', 'publish'])
    await run(['rules', 'add', 'ask', '--', 'make', 'deploy'])
    expect(await approve('true && sh -c "npm --quiet publish"')).toMatchObject({
      code: 10,
      stderr: expect.stringContaining('CI publishes'),
    })
    expect((await approve('make deploy')).code).toBe(75)
    expect((await approve('echo npm publish')).code).toBe(0)
  })

  it('ends when it expires, and when it is removed; both stay on record', async () => {
    const { run, home, cwd } = await sandbox()
    const command = ['approve', '--', 'git stash drop']
    const yesterday = await openLocalHub({
      env: { BECKON_HOME: home, BECKON_USER: 'me' },
      shift: () => -24 * 3_600_000,
      sweeps: false,
    })
    const words = ['git', 'stash', 'drop']
    const covers = ['git/stash-drop']
    await yesterday.rules.add({ scope: 'prefix', verdict: 'allow', words, within: cwd, covers, expires: 3_600_000 })
    await yesterday.close()
    expect((await run(command, impatient)).code).toBe(75)
    const { stdout } = await run(['rules', 'add', 'allow', '--expires', 'never', '--', 'git', 'stash', 'drop'])
    expect((await run(command, impatient)).code).not.toBe(75)
    expect((await run(['rules', 'remove', stdout.trim()])).code).toBe(0)
    expect((await run(command, impatient)).code).toBe(75)
    expect((await run(['rules'])).stdout).toBe('No rules.\n')
    const all = JSON.parse((await run(['rules', 'list', '--all', '--json'])).stdout)
    expect(all.rules).toHaveLength(2)
    expect(all.rules[1]).toMatchObject({ removedBy: 'person', removedAt: expect.any(String), expiresAt: null })
    expect((await run(['rules', 'remove', 'rul_none'])).code).toBe(4)
    expect(await rulesOf(run)).toEqual([])
  })

  it('follows the file of the project, which may tighten and never loosen', async () => {
    const { run, cwd } = await sandbox()
    mkdirSync(join(cwd, '.git'))
    mkdirSync(join(cwd, '.beckon'))
    mkdirSync(join(cwd, 'deep/er'), { recursive: true })
    const write = (rules: unknown) => writeFileSync(join(cwd, '.beckon/rules.json'), JSON.stringify({ rules }))
    const approve = (command: string) => run(['approve', '--', command], { ...impatient, cwd: join(cwd, 'deep/er') })
    write([{ verdict: 'deny', command: 'npm publish', reason: 'CI does that' }])
    expect(await approve('npm publish --dry-run')).toMatchObject({
      code: 10,
      stderr: expect.stringContaining('CI does that'),
    })
    expect((await run(['rules'], { cwd })).stdout).toContain('deny what begins with "npm publish"')
    write([{ verdict: 'allow', command: 'rm -rf' }])
    expect(await approve('true')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('can only make the guard stricter'),
    })
    writeFileSync(join(cwd, '.beckon/rules.json'), '{')
    expect(await approve('true')).toMatchObject({ code: 1, stderr: expect.stringContaining('is not valid JSON') })
  })

  it('are made by people alone', async () => {
    const { run } = await sandbox()
    const agent = { env: { CLAUDECODE: '1' } }
    expect((await run(['rules', 'add', 'allow', '--', 'git', 'stash', 'drop'], agent)).code).toBe(5)
    expect((await run(['rules', 'remove', 'rul_x'], agent)).code).toBe(5)
    expect((await run(['rules', 'list'], agent)).code).toBe(0)
    expect(await rulesOf(run, '--all')).toEqual([])
  })

  it('is not offered for what could destroy much', async () => {
    const { run } = await sandbox()
    const { stdout } = await run(['approve', '--', 'git push --force origin main'], impatient)
    const { id } = JSON.parse(stdout)
    expect(await run(['answer', id, 'yes', '--always', 'prefix'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('not offered'),
    })
  })
})
