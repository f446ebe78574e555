import { defineConfig } from 'vitest/config'
import { SlowFirst } from './test/setup/slow-first.ts'

// The tests with real agents, which are installed from npm first.
export default defineConfig({
  test: {
    include: ['test/agents/**/*.test.ts'],
    globalSetup: ['test/agents/setup.ts'],
    setupFiles: ['test/setup/environment.ts'],
    reporters: ['default', './test/setup/reporter.ts'],
    // Agents mostly wait, for a person or for a limit of theirs.
    maxWorkers: 3,
    sequence: { sequencer: SlowFirst },
    retry: 0,
    expect: { poll: { timeout: 30_000 } },
    testTimeout: 90_000,
    hookTimeout: 30_000,
  },
})
