import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Short files that run for long. */
const slow = [
  'test/agents/ten-agents.test.ts',
  'test/agents/mcp.test.ts',
  'test/agents/fail-closed.test.ts',
  'test/crash/crash.test.ts',
  'test/hub/model.test.ts',
  'test/chaos/chaos.test.ts',
  'test/agent/crash/crash.test.ts',
  'test/supervisor/kill.test.ts',
  'test/supervisor/remote-kill.test.ts',
  'test/client/contract.test.ts',
  'test/hub/hub.test.ts',
  'test/blocks/growth.test.ts',
  'test/cli/unwritable-home.test.ts',
  'test/terminal/plain-fuzz.test.ts',
  'test/web/runs.test.ts',
  'test/web/long-list.test.ts',
]

/**
 * In a new clone, Vitest starts the longest files first, by their length in characters. Some of the shortest run longest, and
 * would be waited for at the end, with the other processors idle.
 */
export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isSlow = ({ moduleId }: TestSpecification) => slow.some(file => moduleId.endsWith(`/${file}`))
    return [...sorted.filter(isSlow), ...sorted.filter(file => !isSlow(file))]
  }
}
