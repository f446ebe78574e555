import { describe, expect, it } from 'vitest'
import { createAgentSandbox, kinds } from './harness.ts'

describe.each(kinds)('%s with the scripted model', kind => {
  it('runs a command, sees its output and says so', async () => {
    const sandbox = await createAgentSandbox()
    const agent = await sandbox.agent(kind)
    const running = await agent.start({
      prompt: 'Add two numbers',
      args: kind === 'claude' ? ['--allowedTools', 'Bash'] : [],
      turns: [({ shell }) => shell('printf %s=%s sum 42'), ({ results }) => ({ text: `It printed ${results.at(-1)}` })],
    })
    const { code, output } = await running.finished
    expect({ code, violations: running.model.violations, unknown: running.model.unknown }, output).toEqual({
      code: 0,
      violations: [],
      unknown: [],
    })
    expect(running.results().at(-1)).toContain('sum=42')
    expect(output).toMatch(/It printed [\s\S]*sum=42/)
  })
})
