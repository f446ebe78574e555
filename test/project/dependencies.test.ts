import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '../..')

/** For each rule, a file with nothing but a forbidden import. */
const forbiddenImports = {
  'hub-knows-no-doors': ['src/hub/intruder.ts', "import '../server/door.ts'"],
  'approval-knows-no-doors': ['src/approval/intruder.ts', "import '../cli/harmless.ts'"],
  'rules-are-pure': ['src/rules/intruder.ts', "import type { Door } from '../store/harmless.ts'"],
  'store-knows-protocol-only': ['src/store/intruder.ts', "import type { Door } from '../hub/harmless.ts'"],
  'secrets-know-protocol-only': ['src/secrets/intruder.ts', "export { door } from '../store/harmless.ts'"],
  'protocol-is-alone': ['src/protocol/intruder.ts', "void import('../hub/harmless.ts')"],
  'browser-code-has-no-node': ['src/protocol/builtin.ts', "import 'node:fs'"],
  'page-imports-what-a-browser-can-run': ['web/src/intruder.ts', "import '../../src/server/door.ts'"],
  'terminal-imports-no-other-door-or-channel': ['src/terminal/intruder.ts', "import '../server/door.ts'"],
  'doors-take-a-hub': ['src/notify/intruder.ts', "import '../store/harmless.ts'"],
  'nothing-imports-the-wiring': ['src/mcp/intruder.ts', "import '../cli/harmless.ts'"],
  'no-development-dependencies': ['src/cli/intruder.ts', "import 'vitest'"],
  'no-cycles': ['src/hooks/intruder.ts', "import './intruder.ts'"],
}
const harmless = ['server/door', 'hub/harmless', 'store/harmless', 'cli/harmless']

describe('the dependency check', () => {
  let copy: string
  let report: ReturnType<typeof check>

  beforeAll(() => {
    copy = mkdtempSync(join(tmpdir(), 'beckon-direction-'))
    for (const name of ['src', 'web', 'package.json', '.dependency-cruiser.mjs', 'scripts/bundled.ts']) {
      cpSync(join(root, name), join(copy, name), { recursive: true })
    }
    symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
    for (const name of harmless) write(`src/${name}.ts`, 'export type Door = number\nexport const door: Door = 1')
    for (const [path, code] of Object.values(forbiddenImports)) write(path, code)
    report = check(copy)
  })

  afterAll(() => rmSync(copy, { recursive: true, force: true }))

  it('fails if there is a forbidden import', () => {
    expect(report.status).toBeGreaterThan(0)
  })

  it.each(Object.entries(forbiddenImports))('reports a forbidden import by the rule %s', (rule, [path]) => {
    expect(report.stdout).toContain(`error ${rule}: ${path} → `)
  })

  function write(path: string | undefined, code: string | undefined) {
    const file = join(copy, path ?? '')
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, `${code}\n`)
  }
})

function check(folder: string) {
  const depcruise = join(root, 'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs')
  return spawnSync(process.execPath, [depcruise, 'src', 'web'], { cwd: folder, encoding: 'utf8' })
}
