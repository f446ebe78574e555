#!/usr/bin/env node
import { launch } from './launch.js'

// By require: the loader of modules alone would cost as much again as all that this command does for a bad call.
launch('AskUserQuestion', () =>
  process.getBuiltinModule('node:module').createRequire(import.meta.url)('../dist/cli/ask-user-question.cjs'),
)
