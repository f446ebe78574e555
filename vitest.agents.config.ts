import { defineConfig } from 'vitest/config'

// The tests with real agents, which are installed from npm first.
export default defineConfig({
  test: {
    include: ['test/agents/**/*.test.ts'],
    globalSetup: ['test/agents/setup.ts'],
    setupFiles: ['test/setup/environment.ts'],
    reporters: ['default', './test/setup/reporter.ts'],
    maxWorkers: 2,
    retry: 0,
    expect: { poll: { timeout: 30_000 } },
    testTimeout: 90_000,
    hookTimeout: 30_000,
  },
})
