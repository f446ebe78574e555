import type { Run } from '../../../src/protocol/run.ts'
import { runStatusName } from '../words/names.ts'
import './run-status.css'

export function RunStatusLabel({ run }: { run: Run }) {
  const isOver = run.endedAt !== null
  const tone = !isOver && run.waiting.length > 0 && run.status !== 'paused' ? 'waiting' : run.status
  return <span className={`run-status run-${tone}`}>{runStatusName(run)}</span>
}
