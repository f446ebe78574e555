// Imported first by what programs load: on an older Node the database's native part ends the whole process without a word.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)

if (major < 22 || (major === 22 && minor < 14)) {
  throw new Error(
    `beckon needs Node 22.14 or newer; this is ${process.version}. Install a newer Node (https://nodejs.org) and try again.`,
  )
}
