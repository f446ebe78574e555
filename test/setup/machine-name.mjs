// Loaded into a process that plays another machine, which MACHINE_NAME names: what tells machines apart is their host name.

import { syncBuiltinESMExports } from 'node:module'
import os from 'node:os'

const { MACHINE_NAME } = process.env
if (MACHINE_NAME) os.hostname = () => MACHINE_NAME
syncBuiltinESMExports()
