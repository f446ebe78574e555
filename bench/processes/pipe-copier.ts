import { spawn } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'

// Copies the output of a command to a file, as a Node program does plainly, and reports the milliseconds.
const [file = '', program = '', ...args] = process.argv.slice(2)
const began = performance.now()
const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] })
await pipeline(child.stdout, createWriteStream(file))
process.send?.(performance.now() - began, () => process.exit())
