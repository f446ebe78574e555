#!/usr/bin/env node
import { launch } from './launch.js'

// A hook starts before every call of an agent's tools, so it does not load the other commands.
const [, , command, ...words] = process.argv
const isHook = command === 'hook' && !words.some(word => /^(-h|--help|--continue)$/.test(word))

// Loaded by require: the ES module loader alone would take a third of a short command's time.
const load = file => process.getBuiltinModule('node:module').createRequire(import.meta.url)(file)
launch('beckon', () => load(isHook ? '../dist/cli/hook/start.cjs' : '../dist/cli/start.cjs'))
