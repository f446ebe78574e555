// Judges the commands on stdin while everything that could tell something about this machine throws. Run as a program.
import childProcess from 'node:child_process'
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import net from 'node:net'
import os from 'node:os'
import { judgeAction } from '../../../src/approval/judge-action.ts'

const output = process.stdout
const { cwd, commands } = JSON.parse(fs.readFileSync(0, 'utf8')) as { cwd: string; commands: string[] }
const touched = new Set<string>()
for (const [name, module] of Object.entries({ fs, 'fs.promises': fs.promises, os, net, childProcess })) {
  for (const [key, value] of Object.entries(module)) {
    if (typeof value === 'function') Reflect.set(module, key, () => refuse(`${name}.${key}`))
  }
}
process.cwd = () => refuse('process.cwd')
syncBuiltinESMExports()
const env = process.env
process.env = new Proxy({}, { get: (_, name) => refuse(`env.${String(name)}`), has: () => refuse('env') })
const verdicts = commands.map(command => judgeAction({ command, cwd }, { env: null, rules: [] }).verdict)
process.env = env
output.write(JSON.stringify({ verdicts, touched: [...touched] }))

function refuse(what: string): never {
  touched.add(what)
  throw new Error(`${what} was used.`)
}
