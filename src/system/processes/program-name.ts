const interpreters = /^(node|bun|deno|python[\d.]*|ruby|perl)$/

/** What people call a process: the name of its program; where an interpreter runs a script, the name of the script. */
export function programName([program = '', script = '']: readonly string[]): string {
  const name = baseName(program)
  const shown = interpreters.test(name) && script !== '' && !script.startsWith('-') ? baseName(script) : name
  // A process chooses its own words, and this one ends up on a screen.
  return shown.replaceAll(/[^\p{L}\p{N} ._@+-]/gu, '?').slice(0, 60) || 'unknown'
}

/** A login shell's name begins with a dash. */
function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).replace(/^-/, '')
}
