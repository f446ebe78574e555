import type { Analysis } from '../interpret/analysis.ts'
import type { ProgramCall } from '../program-call.ts'
import { runJust } from './just.ts'
import { runMake } from './make.ts'
import { runComposer, runDeno, runPackageManager } from './package-managers.ts'

type Runner = (call: ProgramCall, analysis: Analysis) => void

const runners = new Map<string, Runner>([
  ...['npm', 'pnpm', 'yarn', 'bun'].map(name => [name, runPackageManager] as const),
  ...['make', 'gmake'].map(name => [name, runMake] as const),
  ['just', runJust],
  ['deno', runDeno],
  ['composer', runComposer],
])

/** Runs what a project defines under a name: `npm run x`, `make x`, `just x`. */
export function runProjectScript(call: ProgramCall, analysis: Analysis): void {
  if (!analysis.files || call.cwd === null || call.frame.scope.isRemote) return
  runners.get(call.program)?.(call, analysis)
}
