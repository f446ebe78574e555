import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, renameSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { filesBelow } from '../canary/canary.ts'
import { createSandbox, type Sandbox } from './sandbox.ts'

/** Asks for a command and says yes to it; `again` runs the same command and tells whether that yes was enough. */
async function approved(sandbox: Sandbox, command: string[], env: Record<string, string | undefined> = {}) {
  const args = ['approve', '--', ...command]
  const asked = await sandbox.run(args, { env: { ...env, BECKON_WAIT: '0s' } })
  expect(asked).toMatchObject({ code: 75 })
  const { id } = JSON.parse(asked.stdout)
  await sandbox.hub.answer(id, { value: 'yes' })
  return {
    id,
    async again(changed: Record<string, string | undefined> = env) {
      const result = await sandbox.run(args, { env: { ...changed, BECKON_WAIT: '0s' } })
      const { usedAt } = await sandbox.hub.get(id)
      return { ...result, usedTheYes: usedAt !== null }
    },
  }
}

/** Files by path, relative to the working directory. */
function write(cwd: string, files: Record<string, string>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(cwd, name)), { recursive: true })
    writeFileSync(join(cwd, name), text)
  }
}

function executable(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
  chmodSync(path, 0o755)
}

/** A command that a person must approve, after the part that matters. */
const dangerous = '; git stash drop; true'

function git(cwd: string, ...args: string[]): string {
  const identity = ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.com']
  return execFileSync('git', [...identity, ...args], { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
}

function repository(root: string, name: string): { folder: string; remote: string } {
  const [folder, remote] = [join(root, name), join(root, `${name}.git`)]
  git(root, 'init', '-q', '--bare', remote)
  git(root, 'init', '-q', folder)
  git(folder, 'commit', '-q', '--allow-empty', '-m', name)
  git(folder, 'remote', 'add', 'origin', remote)
  return { folder, remote }
}

describe('a yes for one repository', () => {
  const push = ['git', 'push', '--force', 'origin', 'HEAD:main']

  it('does not push another one that GIT_DIR names, when a rule allows the push', async () => {
    const sandbox = await createSandbox()
    const { run, root } = sandbox
    const [mine, other] = [repository(root, 'mine'), repository(root, 'other')]
    const allow = ['rules', 'add', 'allow', '--within', mine.folder, '--', ...push.slice(0, 3)]
    expect(await run(allow, { cwd: mine.folder })).toMatchObject({ code: 0 })
    const env = { BECKON_WAIT: '0s', GIT_DIR: join(other.folder, '.git') }
    expect(await run(['approve', '--', ...push], { cwd: mine.folder, env })).toMatchObject({ code: 75 })
    expect(git(other.remote, 'branch')).toBe('')
    // Without it, the rule is enough.
    expect(await run(['approve', '--', ...push], { cwd: mine.folder })).toMatchObject({ code: 0 })
    expect(git(mine.remote, 'branch')).toContain('main')
  })

  it('does not push to another address that the settings of the repository got since', async () => {
    const sandbox = await createSandbox()
    const [mine, other] = [repository(sandbox.root, 'mine'), repository(sandbox.root, 'other')]
    const inMine: Sandbox = { ...sandbox, run: (args, options) => sandbox.run(args, { ...options, cwd: mine.folder }) }
    const { again } = await approved(inMine, push)
    git(mine.folder, 'remote', 'set-url', 'origin', other.remote)
    expect(await again()).toMatchObject({ code: 75, usedTheYes: false })
    expect(git(other.remote, 'branch')).toBe('')
    git(mine.folder, 'remote', 'set-url', 'origin', mine.remote)
    expect(await again()).toMatchObject({ code: 0, usedTheYes: true })
  })
})

describe('a yes is bound to the programs, not to PATH', () => {
  it('holds with another PATH that leads to the same programs', async () => {
    const sandbox = await createSandbox()
    const { again } = await approved(sandbox, ['git', 'stash', 'drop'])
    const PATH = `${sandbox.root}/nothing:${process.env.PATH}`
    // There is no repository, so git starts and fails.
    expect(await again({ PATH })).toMatchObject({ code: 128, usedTheYes: true })
  })

  it.each([['git', 'stash', 'drop'], ['git stash drop']])(
    'does not run a program that a new earlier folder brings: %j %j %j',
    async (...command) => {
      const sandbox = await createSandbox()
      const words = command.filter(word => typeof word === 'string')
      const { again } = await approved(sandbox, words)
      executable(join(sandbox.root, 'early', 'git'), '#!/bin/sh\ntouch evil\n')
      expect(await again({ PATH: `${sandbox.root}/early:${process.env.PATH}` })).toMatchObject({
        code: 75,
        usedTheYes: false,
      })
      expect(existsSync(join(sandbox.cwd, 'evil'))).toBe(false)
    },
  )

  it('does not run a program that appears in an earlier folder of the same PATH', async () => {
    const sandbox = await createSandbox()
    const env = { PATH: `${sandbox.root}/early:${process.env.PATH}` }
    const { again } = await approved(sandbox, ['git stash drop'], env)
    executable(join(sandbox.root, 'early', 'git'), '#!/bin/sh\ntouch evil\n')
    expect(await again()).toMatchObject({ code: 75, usedTheYes: false })
    expect(existsSync(join(sandbox.cwd, 'evil'))).toBe(false)
  })

  it('does not give the programs of a script another meaning', async () => {
    const sandbox = await createSandbox()
    write(sandbox.cwd, { 'x.py': 'import os\nos.system("date")\n' })
    const { again } = await approved(sandbox, [`python3 x.py${dangerous}`])
    executable(join(sandbox.root, 'early', 'date'), '#!/bin/sh\ntouch evil\n')
    expect(await again({ PATH: `${sandbox.root}/early:${process.env.PATH}` })).toMatchObject({ code: 75 })
    expect(existsSync(join(sandbox.cwd, 'evil'))).toBe(false)
  })

  it('starts a program by its own name', async () => {
    const { run, root } = await createSandbox()
    executable(join(root, 'bin', 'real'), '#!/bin/sh\necho ran\n')
    symlinkSync('real', join(root, 'bin', 'alias'))
    const env = { PATH: `${join(root, 'bin')}:${process.env.PATH}` }
    expect(await run(['approve', '--', 'alias', 'x'], { env })).toMatchObject({ code: 0, stdout: 'ran\n' })
    expect(await run(['approve', '--', 'echo $0'], { env })).toMatchObject({ stdout: 'bash\n' })
  })
})

describe('a yes is bound to all the code that a command runs', () => {
  const cases: { name: string; files: Record<string, string>; command: string; change: Record<string, string> }[] = [
    {
      name: 'the 101st file',
      files: Object.fromEntries(
        Array.from({ length: 120 }, (_, i) => [`s/${String(i).padStart(3, '0')}.sh`, 'true\n']),
      ),
      command: `for f in ${Array.from({ length: 120 }, (_, i) => `s/${String(i).padStart(3, '0')}.sh`).join(' ')}; do bash $f; done`,
      change: { 's/119.sh': 'touch evil\n' },
    },
    {
      name: 'a file that a pattern gains',
      files: { 'm/1.sh': 'true\n' },
      command: 'cat m/*.sh | bash',
      change: { 'm/2.sh': 'touch evil\n' },
    },
    {
      name: 'a file that a loop gains',
      files: { 'a.sh': 'true\n' },
      command: 'for f in *.sh; do bash "$f"; done',
      change: { 'b.sh': 'touch evil\n' },
    },
    {
      name: 'python3 -m',
      files: { 'job.py': 'pass\n' },
      command: 'python3 -m job',
      change: { 'job.py': 'open("evil", "w")\n' },
    },
    {
      name: 'python3 -m of a package',
      files: { 'job/__init__.py': '', 'job/__main__.py': 'from . import work\n', 'job/work.py': 'pass\n' },
      command: 'python3 -m job',
      change: { 'job/work.py': 'open("evil", "w")\n' },
    },
    {
      name: 'a module that shadows another',
      files: { 'x.py': 'import json\n' },
      command: 'python3 x.py',
      change: { 'json.py': 'open("evil", "w")\n' },
    },
    {
      name: 'a folder for Python',
      files: { 'app/__main__.py': 'pass\n' },
      command: 'python3 app',
      change: { 'app/__main__.py': 'open("evil", "w")\n' },
    },
    {
      name: 'a folder for Node',
      files: { 'package.json': '{"main":"lib/x.js"}', 'lib/x.js': 'require("./y")\n', 'lib/y.js': '' },
      command: 'node .',
      change: { 'lib/y.js': 'require("fs").writeFileSync("evil","")' },
    },
    {
      name: 'a makefile',
      files: { Makefile: 'all:\n\ttrue\n' },
      command: 'make',
      change: { Makefile: 'all:\n\ttouch evil\n' },
    },
    {
      name: 'an included makefile',
      files: { Makefile: 'include rules.mk\n', 'rules.mk': 'all:\n\ttrue\n' },
      command: 'make',
      change: { 'rules.mk': 'all:\n\ttouch evil\n' },
    },
    {
      name: 'a makefile that goes first',
      files: { Makefile: 'all:\n\ttrue\n' },
      command: 'make',
      change: { GNUmakefile: 'all:\n\ttouch evil\n' },
    },
    {
      name: 'a script that a script reads',
      files: { 'a.sh': '. ./lib.sh\n', 'lib.sh': 'true\n' },
      command: 'bash a.sh',
      change: { 'lib.sh': 'touch evil\n' },
    },
    {
      name: 'a script beside a script',
      files: { 's/a.sh': '. "$(dirname "$0")/lib.sh"\n', 's/lib.sh': 'true\n' },
      command: 'bash s/a.sh',
      change: { 's/lib.sh': 'touch evil\n' },
    },
    {
      name: 'a script on stdin in another folder',
      files: { 's/a.sh': 'true\n' },
      command: 'cd s && bash < a.sh',
      change: { 's/a.sh': 'touch ../evil\n' },
    },
    {
      name: 'a script that did not exist',
      files: {},
      command: 'bash later.sh',
      change: { 'later.sh': 'touch evil\n' },
    },
    {
      name: 'a script of package.json',
      files: { 'package.json': '{"scripts":{"x":"bash x.sh"}}', 'x.sh': 'true\n' },
      command: 'npm run x',
      change: { 'x.sh': 'touch evil\n' },
    },
  ]

  it.each(cases)('$name', async ({ files, command, change }) => {
    const sandbox = await createSandbox()
    write(sandbox.cwd, files)
    const { again } = await approved(sandbox, [command + dangerous])
    const before = Object.keys(change).map(name => [name, files[name]] as const)
    write(sandbox.cwd, change)
    expect(await again()).toMatchObject({ code: 75, usedTheYes: false })
    expect(existsSync(join(sandbox.cwd, 'evil'))).toBe(false)
    // As it was shown, it runs.
    for (const [name, text] of before)
      text === undefined ? unlinkSync(join(sandbox.cwd, name)) : write(sandbox.cwd, { [name]: text })
    expect(await again()).toMatchObject({ code: 0, usedTheYes: true })
    expect(existsSync(join(sandbox.cwd, 'evil'))).toBe(false)
  })

  it('a link that leads elsewhere', async () => {
    const sandbox = await createSandbox()
    write(sandbox.cwd, { 'a.sh': 'true\n', 'b.sh': 'true\n' })
    symlinkSync('a.sh', join(sandbox.cwd, 'x.sh'))
    const { again } = await approved(sandbox, [`bash x.sh${dangerous}`])
    unlinkSync(join(sandbox.cwd, 'x.sh'))
    symlinkSync('b.sh', join(sandbox.cwd, 'x.sh'))
    expect(await again()).toMatchObject({ code: 75, usedTheYes: false })
  })
})

describe('a yes to a script that the guard looked inside', () => {
  const drops = 'git stash drop\ntrue\n'
  const evil = 'touch evil\ngit stash clear\n'

  it.each([
    ['bash x.sh', { 'x.sh': '\nbash lib/y.sh\n', 'lib/y.sh': drops }, 'lib/y.sh', 1],
    ['python3 x.py', { 'x.py': 'import os\nos.system("bash z.sh")\n', 'z.sh': drops }, 'z.sh', 1],
    ['make x', { Makefile: 'x: y\ny:\n\tbash z.sh\n', 'z.sh': `\n${drops}` }, 'z.sh', 2],
    ['npm test', { 'package.json': '{"scripts": {"test": "bash z.sh"}}', 'z.sh': drops }, 'z.sh', 1],
  ])('does not cover the script after a change: %s', async (command, files, name, line) => {
    const sandbox = await createSandbox()
    write(sandbox.cwd, files)
    const { id, again } = await approved(sandbox, [command])
    const request = await sandbox.hub.get(id)
    const reason = { rule: 'git/stash-drop', file: name, line, span: [expect.any(Number), command.length] }
    const message = `${name} line ${line} deletes stashed changes`
    expect(request).toMatchObject({
      action: {
        reasons: [{ ...reason, message }],
        files: expect.arrayContaining(Object.keys(files).map(file => join(sandbox.cwd, file))),
      },
    })
    write(sandbox.cwd, { [name]: evil })
    expect(await again()).toMatchObject({ code: 75, usedTheYes: false })
    expect(existsSync(join(sandbox.cwd, 'evil'))).toBe(false)
    // As it was shown, it runs.
    write(sandbox.cwd, files)
    expect(await again()).toMatchObject({ code: 0, usedTheYes: true })
  })

  it('does not open a link that leads out of the workspace', async () => {
    const sandbox = await createSandbox()
    write(sandbox.root, { 'outside.sh': 'git stash drop || true\n' })
    symlinkSync('../outside.sh', join(sandbox.cwd, 'x.sh'))
    expect(await sandbox.run(['approve', '--', 'bash x.sh'])).toMatchObject({ code: 0 })
  })
})

describe('a yes is bound to the environment that steers', () => {
  it.each([
    'AWS_ENDPOINT_URL',
    'PGHOST',
    'NODE_EXTRA_CA_CERTS',
    'REDISCLI_AUTH',
    'HELM_KUBECONTEXT',
    'VAULT_ADDR',
    'HTTPS_PROXY',
    'MYSQL_HOST',
  ])('asks again when %s is set', async name => {
    const sandbox = await createSandbox()
    const { again } = await approved(sandbox, ['git', 'stash', 'drop'])
    expect(await again({ [name]: '/elsewhere' })).toMatchObject({ code: 75, usedTheYes: false })
  })

  it('asks again when a secret has changed, and never stores it', async () => {
    const sandbox = await createSandbox()
    const secret = 'correct horse battery staple'
    const { again } = await approved(sandbox, ['git', 'stash', 'drop'], { PGPASSWORD: secret })
    expect(await again({ PGPASSWORD: 'another' })).toMatchObject({ code: 75, usedTheYes: false })
    expect(await again({ PGPASSWORD: undefined })).toMatchObject({ code: 75, usedTheYes: false })
    expect(await again()).toMatchObject({ code: 128, usedTheYes: true })
    for (const { bytes } of filesBelow(sandbox.home)) expect(bytes.includes(secret)).toBe(false)
  })

  it('does not read a file that BASH_ENV names, and says so', async () => {
    const { run, cwd } = await createSandbox()
    write(cwd, { 'first.sh': 'echo evil\n' })
    const result = await run(['approve', '--', 'echo good'], {
      env: { BASH_ENV: join(cwd, 'first.sh'), 'BASH_FUNC_echo%%': '() { printf evil; }' },
    })
    expect(result).toEqual({ code: 0, stdout: 'good\n', stderr: 'beckon: not passed on: BASH_ENV, BASH_FUNC_echo%%\n' })
  })

  it('is set as it was recorded when another shell resumes it, and what was added is removed and named', async () => {
    const sandbox = await createSandbox()
    const command = `echo "$PGHOST $KUBECONFIG $GIT_DIR"${dangerous}`
    const { id } = await approved(sandbox, [command], { PGHOST: 'mine', KUBECONFIG: undefined, GIT_DIR: undefined })
    const env = { PGHOST: 'other', PGPORT: '1', AWS_PROFILE: 'prod' }
    const result = await sandbox.run(['approve', '--resume', id], { env })
    expect(result).toMatchObject({ code: 0, stdout: 'mine  \n' })
    expect(result.stderr).toContain('beckon: not passed on: AWS_PROFILE, PGPORT\n')
  })

  it('pushes the repository that was shown, whatever GIT_DIR says when it is resumed', async () => {
    const sandbox = await createSandbox()
    const [mine, other] = [repository(sandbox.root, 'mine'), repository(sandbox.root, 'other')]
    const inMine: Sandbox = { ...sandbox, run: (args, options) => sandbox.run(args, { ...options, cwd: mine.folder }) }
    const { id } = await approved(inMine, ['git', 'push', '--force', 'origin', 'HEAD:main'])
    const env = { GIT_DIR: join(other.folder, '.git') }
    const { code, stderr } = await sandbox.run(['approve', '--resume', id], { env })
    expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.stringContaining('not passed on: GIT_DIR\n') })
    expect([git(mine.remote, 'branch'), git(other.remote, 'branch')]).toEqual([expect.stringContaining('main'), ''])
  })

  it('runs nothing when another shell resumes it with another secret', async () => {
    const sandbox = await createSandbox()
    const { id } = await approved(sandbox, ['git', 'stash', 'drop'], { PGPASSWORD: 'right' })
    const resume = (PGPASSWORD?: string) => sandbox.run(['approve', '--resume', id], { env: { PGPASSWORD } })
    expect(await resume('wrong')).toMatchObject({ stderr: expect.stringContaining('PGPASSWORD differs') })
    expect(await resume()).toMatchObject({ stderr: expect.stringContaining('PGPASSWORD differs') })
    expect((await sandbox.hub.get(id)).usedAt).toBeNull()
    expect(await resume('right')).toMatchObject({ code: 128 })
  })
})

describe('the directory', () => {
  it.each([
    ['a link', (victim: string, shown: string) => symlinkSync(victim, shown)],
    ['another folder', (victim: string, shown: string) => renameSync(victim, shown)],
  ])('is the very one that was shown: %s that takes its place gets nothing run in it', async (_, replace) => {
    const sandbox = await createSandbox()
    const shown = join(sandbox.root, 'shown')
    const victim = join(sandbox.root, 'victim')
    mkdirSync(shown)
    mkdirSync(victim)
    writeFileSync(join(victim, 'precious'), '')
    const options = { cwd: shown, env: { BECKON_WAIT: '0s' } }
    const { id } = JSON.parse((await sandbox.run(['approve', '--', 'find -mindepth 1 -delete'], options)).stdout)
    await sandbox.hub.answer(id, { value: 'yes' })
    renameSync(shown, `${shown}-moved`)
    replace(victim, shown)
    expect((await sandbox.run(['approve', '--resume', id], { env: { BECKON_WAIT: '0s' } })).code).toBe(1)
    expect(existsSync(join(shown, 'precious'))).toBe(true)
    expect((await sandbox.hub.get(id)).usedAt).toBeNull()
  })
})
