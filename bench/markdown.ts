import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { fileURLToPath } from 'node:url'

// As the build does: the text of the file in its place.
registerHooks({
  load(url, context, next) {
    if (!url.endsWith('.md')) return next(url, context)
    const source = `export default ${JSON.stringify(readFileSync(fileURLToPath(url), 'utf8'))}`
    return { format: 'module', source, shortCircuit: true }
  },
})
