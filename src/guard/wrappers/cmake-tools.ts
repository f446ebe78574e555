import { type Argument, literal } from '../interpret/arguments.ts'
import type { ProgramCall } from '../program-call.ts'
import { quoted } from './find-code.ts'

const cmakeTools: Readonly<Record<string, string>> = {
  env: 'env',
  time: 'time',
  rm: 'rm',
  remove: 'rm',
  remove_directory: 'rm -r',
  rename: 'mv',
  copy: 'cp',
  copy_directory: 'cp -r',
}

/** `cmake -E rm -rf x` is `rm -rf x` on every system. */
export function cmake({ args, frame }: ProgramCall): readonly Argument[] {
  const [option, tool, ...rest] = args
  const program = Object.hasOwn(cmakeTools, tool?.value ?? '') ? cmakeTools[tool?.value ?? ''] : undefined
  if (option?.value !== '-E' || program === undefined) return []
  return [literal([program, ...rest.map(({ value }) => quoted(value))].join(' '), frame.span)]
}
