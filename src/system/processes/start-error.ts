/** Says why a program could not be started. Never with the arguments, which spawn's own error contains: they may be secret. */
export function describeStartError(error: unknown, file: string): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'
  if (code === 'ENOENT') return `There is no command ${file}, or the directory does not exist.`
  if (code === 'EACCES') return `${file} is not executable.`
  return `${file} could not be started: ${reasons[code] ?? `the system refused (${code})`}.`
}

const reasons: Record<string, string> = {
  EMFILE: 'this process has too many files open (EMFILE); raise the limit with ulimit -n',
  ENFILE: 'this machine has too many files open (ENFILE)',
  EAGAIN: 'there are too many processes (EAGAIN); end some, or raise the limit with ulimit -u',
  ENOMEM: 'there is not enough memory (ENOMEM)',
  E2BIG: 'its arguments and its environment are too long (E2BIG)',
}
