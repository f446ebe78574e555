import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/setup/global.ts'],
    setupFiles: ['test/setup/environment.ts'],
    reporters: ['default', './test/setup/reporter.ts'],
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
})
