#!/usr/bin/env node
import { launch } from './launch.js'

// SUDO_ASKPASS, SSH_ASKPASS and GIT_ASKPASS name a program without arguments, and call it with the prompt.
process.argv.splice(2, 0, 'askpass', '--')
launch('beckon-askpass', () => import('../dist/cli/main.js'))
