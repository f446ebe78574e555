import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { temporaryFolder } from '../setup/databases.ts'
import { addPeers, typeErrors } from '../tarball/types.ts'

let project: string

beforeAll(() => {
  project = temporaryFolder()
  addPeers(project)
  symlinkSync(join(import.meta.dirname, '../..'), join(project, 'node_modules/beckon'))
})

it.each(['bundler', 'node16'] as const)('has types for every export where modules are resolved by %s', async module => {
  expect(await typeErrors(project, module)).toEqual([])
})
