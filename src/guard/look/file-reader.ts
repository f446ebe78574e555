/** Why a file stays unknown. The command then gets the verdict that it gets without looking. */
type Unread =
  | 'missing'
  /** Its real path is not in the workspace. */
  | 'outside'
  /** A folder, a pipe, a device, a socket. */
  | 'not-a-file'
  | 'too-large'
  | 'not-text'
  | 'unreadable'

export type FileText = { readonly text: string } | { readonly unread: Unread }

/**
 * Opens a file for the guard, by its absolute path, and answers at once. It decides which files may be opened at all: the
 * guard asks it for every script that a command runs. It must not throw; whatever it throws counts as `unreadable`.
 */
export type ReadFile = (path: string) => FileText
