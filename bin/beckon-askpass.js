#!/usr/bin/env node
const { launch } = require('./launch.js')

// SUDO_ASKPASS, SSH_ASKPASS and GIT_ASKPASS name a program without arguments, and call it with the prompt.
process.argv.splice(2, 0, 'askpass', ...(process.argv[2] === '--help' ? [] : ['--']))
launch('beckon-askpass', () => require('../dist/cli/start.cjs'))
