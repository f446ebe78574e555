import { readdirSync, readFileSync } from 'node:fs'

export interface ArgumentWatch {
  /** The arguments of every process that was seen meanwhile, and its environment where that was asked for. */
  stop(): string[]
}

/** Looks over the shoulders of all processes, again and again. Where there is no /proc it sees nothing. */
export function watchArguments({ environment = false } = {}): ArgumentWatch {
  const seen = new Set<string>()
  const timer = setInterval(look, 5)
  look()
  return { stop }

  function look() {
    for (const pid of readFolder('/proc').filter(name => /^\d+$/.test(name))) {
      seen.add(readText(`/proc/${pid}/cmdline`))
      if (environment) seen.add(readText(`/proc/${pid}/environ`))
    }
  }

  function stop(): string[] {
    clearInterval(timer)
    return [...seen]
  }
}

function readFolder(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    // It has ended meanwhile.
    return ''
  }
}
