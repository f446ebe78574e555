#!/usr/bin/env node
import { launch } from './launch.js'

// A hook starts before every call of an agent's tools, so it does not load the other commands.
const isHook = process.argv[2] === 'hook' && !process.argv.some(word => word === '--help' || word === '-h')

launch('beckon', () =>
  isHook
    ? process.getBuiltinModule('node:module').createRequire(import.meta.url)('../dist/cli/hook/start.cjs')
    : import('../dist/cli/main.js'),
)
