import { type Argument, unknownText } from './arguments.ts'

/** `/usr/bin/RM.exe` is `rm`, `prisma@5` is `prisma`. Null if the name is known only at run time. */
export function programName({ value, glob }: Argument): string | null {
  if (glob) return null
  const base = value.slice(Math.max(value.lastIndexOf('/'), value.lastIndexOf('\\')) + 1)
  if (base === '' || base.includes(unknownText)) return null
  // In zsh, =rm is the path of rm, and zf_rm a builtin of its module for files.
  return base
    .toLowerCase()
    .replace(/^=(?=\w)|^zf_(?=\w)/, '')
    .replace(/(\.(exe|cmd|bat|com)|@[\w.^~-]+)$/, '')
}
