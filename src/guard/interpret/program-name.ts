import { type Argument, unknownText } from './arguments.ts'

/** `/usr/bin/RM.exe` is `rm`, `npx prisma@5` is `prisma`: file systems without case and paths change nothing. Null where only running it would tell. */
export function programName({ value, glob }: Argument): string | null {
  if (glob) return null
  const base = value.slice(Math.max(value.lastIndexOf('/'), value.lastIndexOf('\\')) + 1)
  if (base === '' || base.includes(unknownText)) return null
  // zsh writes =rm for the rm that it finds.
  return base
    .toLowerCase()
    .replace(/^=(?=\w)/, '')
    .replace(/(\.(exe|cmd|bat|com)|@[\w.^~-]+)$/, '')
}
