import type { Wrappers } from '../wrapper.ts'
import { developerTools } from './developer-tools.ts'
import { launchers } from './launchers.ts'
import { remoteLaunchers } from './remote.ts'
import { toolchains } from './toolchains.ts'

/** Programs that start the program in their arguments. */
export const wrappers: Wrappers = { ...launchers, ...remoteLaunchers, ...toolchains, ...developerTools }
