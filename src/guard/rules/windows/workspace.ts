import type { Argument } from '../../interpret/arguments.ts'
import type { ProgramCall } from '../../program-call.ts'

/** Whether a path is outside the workspace: on a drive, in a home folder, in the registry or in the system. */
export function isOutsideWorkspace(call: ProgramCall, { value }: Argument): boolean {
  if (/^[A-Za-z]:/.test(value))
    return !/[/\\](node_modules|dist|build|bin|obj|out|target|\.next|__pycache__|Temp|tmp)([/\\]|$)/i.test(value)
  if (/^(%\w+%|\\\\|\/\/)/.test(value) || /^(HK(LM|CU|CR|U)|HKEY_\w+):?/i.test(value)) return true
  return !['workspace', 'build', 'tmp'].includes(
    call.pathClass({
      value: value.replaceAll('\\', '/'),
      glob: /[*?]/.test(value),
      quoted: true,
      from: 0,
      span: [0, 0],
    }),
  )
}
