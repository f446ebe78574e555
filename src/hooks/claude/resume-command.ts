// What `claude -p` was started with says what it may do, so a resumed session is started with the same. Its prompt and
// what named the session are left out.

const flags = new Set([
  ...['--allow-dangerously-skip-permissions', '--bare', '--dangerously-skip-permissions', '--disable-slash-commands'],
  ...['--exclude-dynamic-system-prompt-sections', '--forward-subagent-text', '--ide', '--include-hook-events'],
  ...['--include-partial-messages', '--restricted', '--safe-mode', '--strict-mcp-config', '--verbose'],
])
const withValue = new Set([
  ...['--agent', '--agents', '--append-system-prompt', '--append-system-prompt-file', '--autocompact', '--debug-file'],
  ...['--effort', '--fallback-model', '--json-schema', '--max-budget-usd', '--max-turns', '--model', '--name', '-n'],
  ...['--output-format', '--permission-mode', '--permission-prompt-tool', '--permission-prompts', '--plugin-dir'],
  ...['--plugin-url', '--setting-sources', '--settings', '--system-prompt', '--system-prompt-file'],
  ...['--system-prompt-snapshot'],
])
const withValues = new Set([
  ...['--add-dir', '--allowedTools', '--allowed-tools', '--betas', '--disallowedTools', '--disallowed-tools'],
  ...['--mcp-config', '--tools'],
])
const leftOut = new Set(['-p', '--print', '-c', '--continue', '--fork-session'])
const leftOutWithValue = new Set(['-r', '--resume', '--session-id'])

/** Null for what we cannot start again: a program that speaks to Claude over its stdin, or a flag that we do not know. */
export function claudeResumeCommand(started: readonly string[], session: string): string[] | null {
  // Claude may be a program, or a script that an interpreter runs.
  const program = started.slice(0, /(^|\/)(node|bun|(ba|da|z)?sh)$/.test(started[0] ?? '') ? 2 : 1)
  if (program.length === 0 || program.at(-1)?.startsWith('-')) return null
  const words = started.slice(program.length)
  const kept: string[] = []
  for (let i = 0; i < words.length; i += 1) {
    const word = words[i] ?? ''
    if (!word.startsWith('-')) continue
    const name = word.replace(/=.*$/s, '')
    const values = word.includes('=') ? [] : words.slice(i + 1)
    const count = valueCount(name, values)
    if (count === null) return null
    const taken = values.slice(0, count)
    if (!leftOut.has(name) && !leftOutWithValue.has(name)) kept.push(word, ...taken)
    i += count
  }
  return [...program, '-p', '--resume', session, ...kept]
}

function valueCount(name: string, next: readonly string[]): number | null {
  const isValue = next[0] !== undefined && !next[0].startsWith('-')
  if (flags.has(name) || leftOut.has(name)) return 0
  if (withValue.has(name)) return next.length > 0 ? 1 : 0
  if (leftOutWithValue.has(name)) return isValue ? 1 : 0
  if (!withValues.has(name)) return null
  const end = next.findIndex(word => word.startsWith('-'))
  return end < 0 ? next.length : end
}
