import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Terminal } from './terminal.ts'

const standard = 'less -R'

/** Shows a harmless text in the person's pager until they leave it. False if there is no pager. */
export async function openPager({ output, env }: Terminal, text: string): Promise<boolean> {
  const fd = (output as { fd?: number }).fd ?? 'inherit'
  const pager = env.PAGER?.trim() || standard
  const child = spawn('/bin/sh', ['-c', pager], { stdio: ['pipe', fd, fd], env })
  // Keys such as Ctrl-C are for the pager.
  const ignore = () => {}
  process.on('SIGINT', ignore)
  try {
    // The person may leave before all of it is read.
    child.stdin?.on('error', () => {})
    child.stdin?.end(text)
    const [code] = await once(child, 'close')
    return code !== 127
  } catch {
    return false
  } finally {
    process.off('SIGINT', ignore)
  }
}
