#!/usr/bin/env node
// Plain and old-fashioned on purpose: this file must parse on a Node that is far too old, to say so.
const [major, minor] = process.versions.node.split('.').map(Number)

if (major > 22 || (major === 22 && minor >= 13)) {
  start()
} else {
  process.stderr.write(
    `beckon needs Node 22.13 or newer; this is ${process.version}. ` +
      'Install a newer Node (https://nodejs.org) and try again.\n',
  )
  process.exitCode = 1
}

async function start() {
  await cacheCompiledCode()
  await import('../dist/cli/main.js')
}

// In the user's own cache folder: Node's default lies in a temp folder shared with other users of the machine.
async function cacheCompiledCode() {
  const { enableCompileCache } = await import('node:module')
  const { homedir } = await import('node:os')
  const { join } = await import('node:path')
  if (!enableCompileCache) return
  enableCompileCache(join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'beckon', 'compiled'))
}
