import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { writtenFiles } from '../../scripts/plugins.ts'

const folder = join(import.meta.dirname, '../../plugins')

describe('the plugins in the package', () => {
  it.each(Object.entries(writtenFiles()))('%s is what "node scripts/plugins.ts" writes', (file, content) => {
    expect(readFileSync(join(folder, file), 'utf8')).toBe(content)
  })

  it('names files that are there, and is packed as a whole', () => {
    const listed = execFileSync('npm', ['pack', '--dry-run', '--ignore-scripts', '--json', '--no-update-notifier'], {
      encoding: 'utf8',
    })
    const packed = JSON.parse(listed) as { files: { path: string }[] }[]
    const paths = packed[0]?.files.map(({ path }) => path).filter(path => path.startsWith('plugins/'))
    expect(paths?.toSorted()).toEqual([
      'plugins/claude/.claude-plugin/marketplace.json',
      'plugins/claude/.claude-plugin/plugin.json',
      'plugins/claude/.mcp.json',
      'plugins/claude/hooks/hooks.json',
      'plugins/claude/skills/ask-a-person/SKILL.md',
      'plugins/gemini/GEMINI.md',
      'plugins/gemini/gemini-extension.json',
      'plugins/gemini/hooks/hooks.json',
      'plugins/opencode/beckon.ts',
      'plugins/opencode/calls.ts',
      'plugins/opencode/door.ts',
      'plugins/opencode/loader.js',
      'plugins/opencode/permissions.ts',
      'plugins/opencode/questions.ts',
      'plugins/opencode/server.ts',
    ])
  })
})

describe('the file that setup writes for opencode', () => {
  it('loads the plugin with its options', async () => {
    const { load, file } = createLoader('export default { server: (input, options) => ({ input, options }) }')
    expect(await load(file)).toEqual({ input: { directory: '/work' }, options: { command: ['beckon'] } })
  })

  it.each(['throw new Error("damaged")', 'export default {}', null])(
    'stops commands when the plugin is %s',
    async plugin => {
      const { load, file } = createLoader(plugin)
      const hooks = await load(file)
      await expect(hooks['tool.execute.before']?.({ tool: 'bash' })).rejects.toThrow(
        'Run "beckon setup opencode" again',
      )
      await expect(hooks['tool.execute.before']?.({ tool: 'read' })).resolves.toBeUndefined()
    },
  )
})

type Hooks = Record<string, (input: object) => Promise<void>>

function createLoader(plugin: string | null) {
  const place = mkdtempSync(join(tmpdir(), 'beckon-plugin-'))
  onTestFinished(() => rmSync(place, { recursive: true }))
  const target = join(place, 'plugin.mjs')
  if (plugin !== null) writeFileSync(target, plugin)
  const file = join(place, 'loader.mjs')
  const loader = readFileSync(join(folder, 'opencode/loader.js'), 'utf8')
    .replace("'__BECKON_PLUGIN__'", JSON.stringify(pathToFileURL(target).href))
    .replace("'__BECKON_OPTIONS__'", JSON.stringify({ command: ['beckon'] }))
  writeFileSync(file, loader)
  return { file, load: async (path: string) => (await import(path)).Beckon({ directory: '/work' }) as Promise<Hooks> }
}
