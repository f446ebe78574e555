import { join } from 'node:path'
import { requireWithCodeCache } from './v8-code-cache.ts'

// The program `beckon`. All of its commands are one bundle that V8 does not compile again at every start.

const { main } = requireWithCodeCache<typeof import('./main.ts')>(join(__dirname, 'main.cjs'), process.env)
void main()
