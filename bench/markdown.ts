import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { fileURLToPath } from 'node:url'

// Imports a Markdown file as its text, as the build does.
registerHooks({
  load(url, context, next) {
    if (!url.endsWith('.md')) return next(url, context)
    const source = `export default ${JSON.stringify(readFileSync(fileURLToPath(url), 'utf8'))}`
    return { format: 'module', source, shortCircuit: true }
  },
})
