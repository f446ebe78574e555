#!/usr/bin/env node
import { launch } from './launch.js'

// SUDO_ASKPASS, SSH_ASKPASS and GIT_ASKPASS name a program without arguments, and call it with the prompt.
process.argv.splice(2, 0, 'askpass', ...(process.argv[2] === '--help' ? [] : ['--']))
launch('beckon-askpass', () =>
  process.getBuiltinModule('node:module').createRequire(import.meta.url)('../dist/cli/start.cjs'),
)
