#!/usr/bin/env node
const { launch } = require('./launch.js')

launch('AskUserQuestion', () => require('../dist/cli/ask-user-question.cjs'))
