// In old syntax on purpose: a Node that is too old must be able to parse this file, to say so.
const [major, minor] = process.versions.node.split('.').map(Number)

/** Starts a command, or says that this Node is too old for it. */
export function launch(name, start) {
  if (major > 22 || (major === 22 && minor >= 13)) {
    cacheCompiledCode()
    return start()
  }
  process.stderr.write(
    `${name} needs Node 22.13 or newer; this is ${process.version}. ` +
      'Install a newer Node (https://nodejs.org) and try again.\n',
  )
  process.exitCode = 1
}

// In the user's own cache folder: Node's default is in a temporary folder that other users share.
function cacheCompiledCode() {
  const { enableCompileCache } = process.getBuiltinModule('node:module')
  const { homedir } = process.getBuiltinModule('node:os')
  const { join } = process.getBuiltinModule('node:path')
  enableCompileCache(join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'beckon', 'compiled'))
}
