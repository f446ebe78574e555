import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Finding } from '../../src/store/store.ts'
import { createAgentSandbox, type Kind, kinds } from './harness.ts'

/** A file that the person has already, which setup adds to. The harness has written those of Claude and Gemini. */
const existing: Record<Kind, { file: string; text: string | null }> = {
  claude: { file: '.claude.json', text: null },
  codex: { file: '.codex/config.toml', text: 'personality = "pragmatic" # mine\n\n[features]\n' },
  opencode: { file: '.config/opencode/opencode.jsonc', text: '{\n  // mine\n  "username": "me",\n}\n' },
  gemini: { file: '.gemini/settings.json', text: null },
}

describe.each(kinds)('beckon setup %s', kind => {
  it('connects the real agent, which then asks; doctor tells whether it would; undo leaves nothing', async () => {
    const sandbox = await createAgentSandbox()
    const agent = await sandbox.agent(kind)
    const file = join(agent.home, existing[kind].file)
    if (existing[kind].text !== null) {
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, existing[kind].text)
    }
    if (kind === 'opencode') seemsInstalled(dirname(file))
    const before = readFileSync(file, 'utf8')
    const person = { env: agent.env, cwd: agent.cwd }
    const setup = await sandbox.run(['setup', kind, '--yes'], person)
    expect(setup.code, setup.stderr).toBe(0)

    const running = await agent.start({
      prompt: 'Choose a database',
      args: kind === 'claude' ? ['--allowedTools', 'mcp__beckon', 'Bash'] : [],
      turns: [
        ({ shell }) => shell('echo harmless'),
        ({ mcp }) => mcp('ask', { questions: [{ question: 'Which database?', options: [{ label: 'SQLite' }] }] }),
        ({ results }) => ({ text: `I heard ${results.at(-1)}` }),
      ],
    })
    await sandbox.answer((await sandbox.pending('Which database?')).id, 'SQLite')
    const { code, output } = await running.finished
    expect(code, output).toBe(0)
    expect(running.results()[0]).toContain('harmless')
    expect(running.results().at(-1)).toContain('SQLite')

    const doctor = await sandbox.run(['doctor', '--json'], person)
    const findings = (JSON.parse(doctor.stdout).findings as Finding[]).filter(({ what }) => what === kind)
    expect(findings).toContainEqual({ what: kind, finding: expect.stringMatching(/^MCP server: reaches/), fine: true })
    expect(findings).toContainEqual({
      what: kind,
      finding: expect.stringMatching(/(hooks|plugin).* reach/),
      fine: true,
    })
    const untrusted = 'hooks: Codex does not run them, because you have not trusted them: open codex, /hooks'
    const bad = findings.filter(({ fine }) => !fine).map(({ finding }) => finding)
    expect(bad).toEqual(kind === 'codex' ? [untrusted] : [])

    const undo = await sandbox.run(['setup', kind, '--undo', '--yes'], person)
    expect(undo.code, undo.stderr).toBe(0)
    const after = readFileSync(file, 'utf8')
    expect(after).not.toContain('beckon.js')
    // Claude and opencode write into their files themselves.
    if (kind === 'codex' || kind === 'gemini') expect(after).toBe(before)
    for (const made of ['.claude/settings.json', '.codex/hooks.json', '.config/opencode/plugin/beckon.js']) {
      expect(existsSync(join(agent.home, made)), made).toBe(false)
    }
  })
})

/** opencode installs a package into this folder before it loads a plugin, unless it seems to be there. */
function seemsInstalled(folder: string): void {
  mkdirSync(join(folder, 'node_modules'))
  const packages = { '': { dependencies: { '@opencode-ai/plugin': '1.18.33' } } }
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ packages }))
}
