import { absolute } from '../paths.ts'
import type { ProgramCall } from '../program-call.ts'
import { type Argument, origins } from './arguments.ts'
import { fileStream } from './files.ts'

/**
 * Remembers the folders that this command fills from the network, by cloning a repository or extracting a download: a
 * script in them is as unseen as one in a pipe from the network.
 */
export function rememberFetchedFolder(call: ProgramCall): void {
  const find = Object.hasOwn(fetchers, call.program) ? fetchers[call.program] : undefined
  const folder = find?.(call)
  if (folder === undefined || folder === null) return
  const path = absolute(folder, call.cwd)
  const { fetchedFolders } = call.frame.scope
  if (path !== null && fetchedFolders.length < mostFolders) fetchedFolders.push(path)
}

const mostFolders = 32

type Fetcher = (call: ProgramCall) => string | null

const fetchers: Readonly<Record<string, Fetcher>> = {
  git: call => (call.isSub('clone') ? clonedFolder(call.after(1)) : null),
  gh: call => (call.isSub('repo clone') ? clonedFolder(call.after(2), true) : null),
  hg: call => (call.isSub('clone') ? clonedFolder(call.after(1)) : null),
  tar: extractedFolder,
  bsdtar: extractedFolder,
  unzip: call => (isFetched(call.operands[0], call) ? (call.value('-d')?.value ?? '.') : null),
}

/** A repository of this machine is no download. */
function clonedFolder([source, folder]: readonly Argument[], isName = false): string | null {
  if (!source || (!isName && !/:\/\/|^[\w.-]+@[\w.-]+:/.test(source.value))) return null
  return (
    folder?.value ??
    source.value
      .replace(/\/+$|\.git$/g, '')
      .split(/[/:]/)
      .at(-1) ??
    null
  )
}

function extractedFolder(call: ProgramCall): string | null {
  const [first] = call.args
  const extracts = call.has('-x', '--extract', '--get') || /^-?[a-zA-Z]*x/.test(first?.value ?? '')
  const isDownload = call.stdin.from & origins.network || call.args.some(arg => isFetched(arg, call))
  return extracts && isDownload ? (call.value('-C', '--directory')?.value ?? '.') : null
}

function isFetched(file: Argument | undefined, { frame }: ProgramCall): boolean {
  return file !== undefined && (fileStream(file, frame.scope).from & origins.network) !== 0
}
