/** What a machine that is short of something says about itself, and not about what was to be read or started. */
const codes = ['EMFILE', 'ENFILE', 'ENOMEM', 'EAGAIN', 'ENOSPC', 'EDQUOT', 'EROFS', 'EIO']

/** Whether the machine is at fault, in the error itself or in what caused it. */
export function isMachineFault(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return ('code' in error && codes.includes(String(error.code))) || isMachineFault(error.cause)
}

/** Null where there is nothing that can be read. With too many files open, everything would look gone: that throws. */
export function readOrNull<Content>(read: () => Content): Content | null {
  try {
    return read()
  } catch (error) {
    if (isMachineFault(error)) throw error
    return null
  }
}
