import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { installAgents, installSdks } from './install.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder with the programs of the agents. */
    agents: string
    /** The folder with the packages of the frameworks that have adapters. */
    sdks: string
  }
}

/** Installs the agents, then uses an empty home folder: no test depends on the settings of the person who runs it. */
export default function setup(project: TestProject): () => void {
  project.provide('agents', installAgents())
  project.provide('sdks', installSdks())
  const home = mkdtempSync(join(tmpdir(), 'beckon-test-home-'))
  process.env.HOME = home
  return () => rmSync(home, { recursive: true, force: true })
}
