import { askAlways, type Classify } from '../../agent/guard.ts'

/** Until the guard is there, a person sees every command. */
export const classify: Classify = askAlways
