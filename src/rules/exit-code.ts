// The signals whose numbers are the same on Linux and macOS.
const signals: Record<number, string> = {
  1: 'SIGHUP',
  2: 'SIGINT',
  3: 'SIGQUIT',
  6: 'SIGABRT',
  9: 'SIGKILL',
  11: 'SIGSEGV',
  13: 'SIGPIPE',
  15: 'SIGTERM',
}

/** As a person reads it: `exit code 1`, or `exit code 137 (SIGKILL)` where a signal ended it. */
export function describeExitCode(code: number): string {
  const signal = signals[code - 128]
  return `exit code ${code}${signal ? ` (${signal})` : ''}`
}
