import { pathToFileURL } from 'node:url'

// Calls one verb of the built library, as a program that an agent wrote would, and prints what it came to.
const { library, options, verb, args } = JSON.parse(process.argv[2] ?? '')
const { openHub } = await import(pathToFileURL(library).href)

try {
  const hub = await openHub(options)
  try {
    const [noun, rest] = verb.split('.')
    const result = await (rest ? hub[noun][rest](...args) : hub[noun](...args))
    console.log(JSON.stringify({ result: result ?? null }))
  } finally {
    await hub.close()
  }
} catch (error) {
  console.log(JSON.stringify({ code: error.code ?? error.name, message: error.message }))
}
