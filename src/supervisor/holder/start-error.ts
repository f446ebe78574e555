/** For people: what is wrong with the command, or the directory. */
export function describeStartError(error: NodeJS.ErrnoException, file: string): string {
  if (error.code === 'ENOENT') return `There is no command ${file}, or no such directory.`
  if (error.code === 'EACCES') return `${file} may not be executed.`
  return error.message
}
