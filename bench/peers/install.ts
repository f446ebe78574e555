import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { progress } from '../report.ts'
import { type Framework, versionOf } from './frameworks.ts'

const programs = join(import.meta.dirname, 'programs')
const longestInstall = 180_000

/**
 * The folder with the programs, beside the packages that they import. The packages are installed once per version into
 * ~/.cache, without their install scripts.
 */
export async function installFramework(framework: Framework): Promise<string> {
  if (framework.packages === null) return programs
  const packageJson = JSON.stringify({ private: true, ...framework.packages })
  const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'beckon-bench-peers')
  const folder = join(cache, `${framework.name}-${digestOf(packageJson)}`)
  if (!existsSync(folder)) {
    progress(`Installing ${framework.label} ${versionOf(framework)} into ${folder}`)
    mkdirSync(cache, { recursive: true })
    await installInto(folder, packageJson, mkdtempSync(join(cache, 'installing-')))
  }
  // Copied each time, since they may have changed: a program finds the packages beside its folder.
  cpSync(programs, join(folder, 'programs'), { recursive: true })
  return join(folder, 'programs')
}

/** Beside its place, and moved there at the end, so that a folder in place is always complete. */
async function installInto(folder: string, packageJson: string, next: string): Promise<void> {
  try {
    writeFileSync(join(next, 'package.json'), packageJson)
    // Legacy, because npm searches for minutes for versions that satisfy every peer.
    const args = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--legacy-peer-deps']
    await promisify(execFile)('npm', args, { cwd: next, timeout: longestInstall })
    renameSync(next, folder)
  } finally {
    rmSync(next, { recursive: true, force: true })
  }
}

function digestOf(packageJson: string): string {
  const hash = createHash('sha256').update(`${process.platform}-${process.arch}-${packageJson}`)
  return hash.digest('hex').slice(0, 12)
}
