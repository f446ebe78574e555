import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openLocalHub } from '../../src/open-hub.ts'
import type { Rule } from '../../src/protocol/rule.ts'
import { peekRules } from '../../src/store/sqlite/peek-rules.ts'
import { createSandbox, type Sandbox } from './sandbox.ts'

const impatient = { env: { BECKON_WAIT: '0s' } }

async function listRules(run: Sandbox['run'], ...options: string[]): Promise<Rule[]> {
  return JSON.parse((await run(['rules', 'list', '--json', ...options])).stdout).rules
}

describe('beckon rules', () => {
  it('allows exactly this command in this directory after "always exact", and records each use', async () => {
    const { run, hub, cwd, root } = await createSandbox()
    const command = ['approve', '--', 'git status; git stash drop stash@{7}']
    const { stdout } = await run(command, impatient)
    const { id } = JSON.parse(stdout)
    const always = await run(['answer', id, 'yes', '--always', 'exact'])
    expect(always).toMatchObject({ code: 0, stderr: expect.stringContaining(`From now on: exactly this, in ${cwd}`) })
    expect((await run(command, impatient)).code).not.toBe(75)
    const [rule] = await listRules(run)
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

  it('allows what only a strict guard asks about, after "always exact" and as a rule of its own', async () => {
    const { run } = await createSandbox()
    const approve = async (command: string) => (await run(['approve', '--strict', '--', command], impatient)).code
    const { stdout } = await run(['approve', '--strict', '--', 'rm -rf node_modules'], impatient)
    expect((await run(['answer', JSON.parse(stdout).id, 'yes', '--always', 'exact'])).code).toBe(0)
    expect(await approve('rm -rf node_modules')).toBe(0)
    expect(await approve('rm -rf dist')).toBe(75)
    expect((await run(['rules', 'add', 'allow', '--exact', '--', 'rm -rf dist'])).code).toBe(0)
    expect(await approve('rm -rf dist')).toBe(0)
    expect((await run(['rules', 'add', 'allow', '--', 'rm', '-rf', 'out'])).code).toBe(1)
  })

  it('answers the same question after "--always answer", lists and removes that rule, and no guard reads it', async () => {
    const { run, root } = await createSandbox()
    const ask = async () => run(['ask', 'Which database?', '--option', 'SQLite', '--option', 'PostgreSQL'], impatient)
    const { id } = JSON.parse((await ask()).stdout)
    expect((await run(['answer', id, 'SQLite', '--always', 'answer', '--expires', '7d'])).code).toBe(0)
    await ask()
    expect(await ask()).toMatchObject({ code: 0, stdout: 'SQLite\n' })
    const [rule] = await listRules(run)
    expect(rule).toMatchObject({ scope: 'answer', question: 'Which database?', value: 'SQLite', by: 'person' })
    const { stdout } = await run(['rules'])
    expect(stdout).toMatch(/answer "SQLite" to "Which database\?" of \S+ \(person\) in \S+, by person/)
    expect(peekRules(join(root, 'home', 'beckon.db'))).toEqual([])
    expect((await run(['approve', '--', 'git stash drop'], impatient)).code).toBe(75)
    expect((await run(['rules', 'remove', rule?.id ?? ''])).stderr).toContain('removed rul_')
    expect((await ask()).code).toBe(75)
    const approval = JSON.parse((await run(['approve', '--', 'git stash clear'], impatient)).stdout).id
    expect(await run(['answer', approval, 'yes', '--always', 'answer'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('is for questions'),
    })
  })

  it('allows commands by prefix, only for the danger that the rule covers', async () => {
    const { run, cwd } = await createSandbox()
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

  it('refuses a prefix rule for commands that run other programs or destroy data', async () => {
    const { run } = await createSandbox()
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
    expect(await listRules(run)).toEqual([])
  })

  it('asks about and denies commands by rule, also inside other commands', async () => {
    const { run } = await createSandbox()
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

  it('lists expired and removed rules only with --all, and no longer applies them', async () => {
    const { run, home, cwd } = await createSandbox()
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
    expect(await listRules(run)).toEqual([])
  })

  it("applies the project's rules file, which can only be stricter", async () => {
    const { run, cwd } = await createSandbox()
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

  it('lets only people add and remove rules', async () => {
    const { run } = await createSandbox()
    const agent = { env: { CLAUDECODE: '1' } }
    expect((await run(['rules', 'add', 'allow', '--', 'git', 'stash', 'drop'], agent)).code).toBe(5)
    expect((await run(['rules', 'remove', 'rul_x'], agent)).code).toBe(5)
    expect((await run(['rules', 'list'], agent)).code).toBe(0)
    expect(await listRules(run, '--all')).toEqual([])
  })

  it('does not offer a rule for a very dangerous command', async () => {
    const { run } = await createSandbox()
    const { stdout } = await run(['approve', '--', 'git push --force origin main'], impatient)
    const { id } = JSON.parse(stdout)
    expect(await run(['answer', id, 'yes', '--always', 'prefix'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('not offered'),
    })
  })
})
