import { readdirSync, readFileSync } from 'node:fs'

export interface ArgumentWatch {
  /** Returns the arguments of every process seen so far, and with `environment` also their environments. */
  stop(): string[]
}

/** Polls the arguments of all processes. Without /proc it sees nothing. */
export function watchArguments({ environment = false } = {}): ArgumentWatch {
  const seen = new Set<string>()
  const timer = setInterval(look, 10)
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
    // The process has ended meanwhile.
    return ''
  }
}
