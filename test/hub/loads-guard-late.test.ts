import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { temporaryFolder } from '../setup/databases.ts'

it('a hub loads the guard for approvals only', () => {
  const program = join(import.meta.dirname, 'processes/list-loaded-rooms.ts')
  const output = execFileSync(process.execPath, [program, join(temporaryFolder(), 'beckon.db')], { encoding: 'utf8' })
  const { afterQuestion, afterApproval } = JSON.parse(output)
  expect(afterQuestion).toContain('hub')
  expect(afterQuestion).not.toContain('guard')
  expect(afterApproval).toContain('guard')
})
