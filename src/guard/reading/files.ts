import { absolute } from '../paths.ts'
import { isSecretPath } from '../secret-paths.ts'
import type { Scope } from './scope.ts'
import { type Arg, empty, origins, type Stream } from './values.ts'

/** What is in a file, where this command wrote it; else where it comes from. */
export function fileStream(arg: Arg, scope: Scope): Stream {
  if (arg.value === '/dev/null') return empty
  const substituted = scope.files.get(arg.value)
  if (substituted) return substituted
  const path = absolute(arg.value, scope.cwd)
  const known = path === null ? undefined : scope.files.get(path)
  if (known) return known
  return { text: null, from: arg.from | (isSecretPath(path ?? arg.value) ? origins.secret : 0), names: null }
}
