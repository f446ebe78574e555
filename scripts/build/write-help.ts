import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The help of `beckon` at its usual width: who asks for it need not wait until every command is loaded. */
export function writeHelp(root: string, dist: string): void {
  // `help` is the command that prints the same by loading them.
  const start = join(dist, 'cli/start.cjs')
  const program = `require(${JSON.stringify(start)})`
  // A file in place of the folder, so that nothing is kept of this start.
  const env = { PATH: process.env.PATH, XDG_CACHE_HOME: start }
  const help = execFileSync(process.execPath, ['-e', program, 'beckon', 'help'], { cwd: root, env })
  writeFileSync(join(dist, 'cli/help.txt'), help)
}
