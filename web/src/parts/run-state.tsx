import type { Run } from '../../../src/protocol/run.ts'
import { runStatusName } from '../words/names.ts'

export function RunState({ run }: { run: Run }) {
  const isOver = run.endedAt !== null
  const tone = !isOver && run.waiting.length > 0 && run.status !== 'paused' ? 'waits' : run.status
  return <span className={`state state-${tone}`}>{runStatusName(run)}</span>
}
