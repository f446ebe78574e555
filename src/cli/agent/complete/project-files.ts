import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { walk } from '../../../agent/tools/search/files.ts'

const run = promisify(execFile)
const maxBuffer = 64 * 1024 * 1024
const mostWalked = 50_000
// Files that appear meanwhile are found a little later.
const freshFor = 5_000

/** The files below a folder, the shortest paths first, without those that git ignores; read in the background when they are asked for. */
export function openProjectFiles(cwd: string, onRead: () => void, now: () => number = Date.now) {
  let files: readonly string[] = []
  let readAt = -Infinity
  let isReading = false
  return { list }

  function list(): readonly string[] {
    if (!isReading && now() - readAt > freshFor) void read()
    return files
  }

  async function read() {
    isReading = true
    const found = await filesOfGit(cwd).catch(() => walked(cwd))
    files = found.sort((a, b) => a.length - b.length || (a < b ? -1 : 1))
    isReading = false
    readAt = now()
    onRead()
  }
}

async function filesOfGit(cwd: string): Promise<string[]> {
  // A repository can name a program that git would run here.
  const args = [
    '-c',
    'core.fsmonitor=false',
    'ls-files',
    '-z',
    '--cached',
    '--others',
    '--exclude-standard',
    '--deduplicate',
  ]
  const { stdout } = await run('git', args, { cwd, maxBuffer })
  return stdout.split('\0').filter(Boolean)
}

/** Outside of a repository. */
async function walked(cwd: string): Promise<string[]> {
  const files: string[] = []
  for await (const file of walk(cwd, () => true)) {
    files.push(file)
    if (files.length >= mostWalked) break
  }
  return files
}
