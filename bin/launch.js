// In old syntax on purpose: a Node that is too old must be able to parse this file, to say so.
const [major, minor] = process.versions.node.split('.').map(Number)

/** Starts a command, or says that this Node is too old for it. */
function launch(name, start) {
  if (major > 22 || (major === 22 && minor >= 14)) {
    cacheCompiledCode()
    return start()
  }
  process.stderr.write(
    `${name} needs Node 22.14 or newer; this is ${process.version}. ` +
      'Install a newer Node (https://nodejs.org) and try again.\n',
  )
  process.exitCode = 1
}

// In the user's own cache folder: Node's default is in a temporary folder that other users share.
function cacheCompiledCode() {
  const { enableCompileCache } = process.getBuiltinModule('node:module')
  const { homedir } = process.getBuiltinModule('node:os')
  const { join } = process.getBuiltinModule('node:path')
  let caches = process.env.XDG_CACHE_HOME
  try {
    caches = caches || join(homedir(), '.cache')
  } catch (_error) {
    // A user that the machine does not know, such as one that a container is started with.
    return
  }
  const folder = join(caches, 'beckon')
  if ([folder, join(folder, 'compiled')].every(isOurs)) enableCompileCache(join(folder, 'compiled'))
}

// Compiled code runs unchecked, so it is read only from folders that no other user can write to.
function isOurs(folder) {
  const { lstatSync, mkdirSync } = process.getBuiltinModule('node:fs')
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const { mode, uid } = lstatSync(folder)
    const isFolder = (mode & 0o170000) === 0o040000
    return isFolder && (!process.getuid || ([0, process.getuid()].includes(uid) && (mode & 0o022) === 0))
  } catch (_error) {
    return false
  }
}

module.exports = { launch }
