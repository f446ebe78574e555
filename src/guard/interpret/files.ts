import { absolute } from '../paths.ts'
import { isSecretPath } from '../secret-paths.ts'
import { type Argument, origins } from './arguments.ts'
import { isEndlessFile } from './endless-output.ts'
import type { Scope } from './scope.ts'
import { emptyStream, type Stream, unknownStream } from './streams.ts'

/** The contents of a file, if this command wrote it; otherwise only their origin. */
export function fileStream(arg: Argument, scope: Scope): Stream {
  if (arg.value === '/dev/null') return emptyStream
  if (/^\/dev\/(tcp|udp)\//.test(arg.value)) return { text: null, from: origins.network, pathPattern: null }
  if (isEndlessFile(arg.value)) return { ...unknownStream, endless: true, file: arg.value }
  const substituted = scope.files.get(arg.value)
  if (substituted) return substituted
  const known = scope.files.get(fileKey(arg.value, scope.cwd))
  if (known) return known
  const path = absolute(arg.value, scope.cwd) ?? arg.value
  const isFetched = scope.fetchedFolders.some(folder => path.startsWith(`${folder}/`))
  const from = arg.from | (isSecretPath(path) ? origins.secret : 0) | (isFetched ? origins.network : 0)
  // Nobody here can open a file of another machine.
  return scope.isRemote
    ? { text: null, from, pathPattern: null }
    : { text: null, from, pathPattern: null, file: arg.value }
}

/** The key of a file in `Scope.files`: its path, or its name if the directory is unknown. */
export function fileKey(value: string, cwd: string | null): string {
  return absolute(value, cwd) ?? `?/${value.replace(/^(\.\/)+/, '')}`
}
