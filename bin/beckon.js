#!/usr/bin/env node
import { launch } from './launch.js'

// Loaded by require: the ES module loader alone would take a third of a short command's time.
launch('beckon', () => process.getBuiltinModule('node:module').createRequire(import.meta.url)('../dist/cli/start.cjs'))
