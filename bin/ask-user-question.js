#!/usr/bin/env node
import { launch } from './launch.js'

// Loaded by require: the ES module loader alone would double the time of a bad call.
launch('AskUserQuestion', () =>
  process.getBuiltinModule('node:module').createRequire(import.meta.url)('../dist/cli/ask-user-question.cjs'),
)
