/** Says what is wrong with the command or the directory. */
export function describeStartError(error: NodeJS.ErrnoException, file: string): string {
  if (error.code === 'ENOENT') return `There is no command ${file}, or the directory does not exist.`
  if (error.code === 'EACCES') return `${file} is not executable.`
  return error.message
}
