#!/usr/bin/env node
const { launch } = require('./launch.js')

// A hook starts before every call of an agent's tools, so it does not load the other commands.
const [, , command, ...words] = process.argv
const isHook = command === 'hook' && !words.some(word => /^(-h|--help|--continue)$/.test(word))

launch('beckon', () => require(isHook ? '../dist/cli/hook/start.cjs' : '../dist/cli/start.cjs'))
