#!/usr/bin/env node
import { launch } from './launch.js'

launch('beckon', () => import('../dist/cli/main.js'))
