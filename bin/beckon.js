#!/usr/bin/env node
import { launch } from './launch.js'

// A hook starts before every call of an agent's tools, so it does not load the other commands.
const [, , command, ...words] = process.argv
const isHook = command === 'hook' && !words.some(word => /^(-h|--help|--continue)$/.test(word))

launch('beckon', () =>
  isHook
    ? process.getBuiltinModule('node:module').createRequire(import.meta.url)('../dist/cli/hook/start.cjs')
    : import('../dist/cli/main.js'),
)
