import { defineConfig } from 'vitest/config'
import { SlowFirst } from './test/setup/slow-first.ts'

// Imports a Markdown file as its text, as the build does.
const markdown = {
  name: 'markdown',
  transform: (text: string, id: string) => (id.endsWith('.md') ? `export default ${JSON.stringify(text)}` : null),
}

export default defineConfig({
  plugins: [markdown],
  test: {
    include: ['test/**/*.test.ts'],
    // They have a command of their own: npm run test:agents.
    exclude: ['test/agents/**'],
    globalSetup: ['test/setup/global.ts'],
    setupFiles: ['test/setup/environment.ts'],
    reporters: ['default', './test/setup/reporter.ts'],
    // One more than the processors of a small machine: tests that wait for a process or a limit leave theirs idle.
    maxWorkers: 3,
    sequence: { sequencer: SlowFirst },
    // A flake is a defect with a cause: nothing is tried a second time.
    retry: 0,
    // How long to wait for a state; Vitest's one second is too short for a browser on a busy machine.
    expect: { poll: { timeout: 12_000 } },
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
})
