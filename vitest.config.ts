import { defineConfig } from 'vitest/config'

// As the build does: the text of the file in its place.
const markdown = {
  name: 'markdown',
  transform: (text: string, id: string) => (id.endsWith('.md') ? `export default ${JSON.stringify(text)}` : null),
}

export default defineConfig({
  plugins: [markdown],
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/setup/global.ts'],
    setupFiles: ['test/setup/environment.ts'],
    reporters: ['default', './test/setup/reporter.ts'],
    // Vitest leaves a processor to itself, which on two of them is half of the machine.
    maxWorkers: 2,
    // A browser, servers and databases share the machine with the tests: what fails by that passes the second time.
    retry: 1,
    // How long to wait for a state; Vitest's one second is too short for a browser on a busy machine.
    expect: { poll: { timeout: 12_000 } },
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
})
