import type { Argument } from '../../interpret/arguments.ts'
import type { ProgramCall } from '../../program-call.ts'
import { list } from '../../word-list.ts'
import type { GuardRule } from '../rule.ts'
import { isOutsideWorkspace } from './workspace.ts'

export const removers = list('remove-item ri del erase rd rmdir clear-content clear-recyclebin')

/** Deleting files and erasing disks. */
export const deletingRules: readonly GuardRule[] = [
  {
    id: 'windows/delete',
    program: removers,
    none: ['-whatif', '-wi'],
    when: call => {
      if (call.program === 'clear-recyclebin') return true
      if (call.program === 'rmdir' && !hasFlag(call, 'recurse', 's')) return false
      if (hasFlag(call, 'recurse', 's') && call.stdin.pathPattern !== null && targets(call).length === 0) return true
      return (
        targets(call).find(arg => isOutsideWorkspace(call, arg)) ??
        (targets(call).length === 0 && (hasFlag(call, 'force', 'q') || hasFlag(call, 'recurse', 's')))
      )
    },
    severity: 'high',
    reason: 'deletes files outside the workspace, or all of it',
    match: [
      'Remove-Item -Recurse -Force C:\\Users\\me',
      'del /s /q C:\\*',
      'rd /s /q C:\\Windows',
      'rmdir /s /q %USERPROFILE%',
      'powershell -Command "Remove-Item -Recurse -Force C:\\"',
      'cmd /c "rd /s /q C:\\data"',
      'ri -r -fo $HOME',
      'Get-ChildItem -Recurse | Remove-Item -Force',
    ],
    notMatch: [
      'Remove-Item -Recurse -Force node_modules',
      'rmdir build',
      'Remove-Item dist -Recurse',
      'del out.txt',
      'Remove-Item -Recurse -WhatIf C:\\x',
    ],
  },
  {
    id: 'windows/delete-strict',
    program: removers,
    strict: true,
    none: ['-whatif', '-wi'],
    when: call => hasFlag(call, 'recurse', 's') || hasFlag(call, 'force', 'f') || hasFlag(call, 'force', 'q'),
    severity: 'low',
    reason: 'deletes recursively or by force, and the guard is strict',
    match: ['Remove-Item -Recurse -Force node_modules', 'rd /s /q dist', 'del /f out.txt', 'ri -fo a.txt'],
    notMatch: ['rmdir build', 'del out.txt', 'Remove-Item -Recurse -WhatIf dist'],
  },
  {
    id: 'windows/disk',
    program: list(
      'format diskpart format-volume clear-disk initialize-disk remove-partition vssadmin wmic bcdedit cipher reagentc wbadmin fsutil disable-computerrestore',
    ),
    when: call => {
      const words = call.args.map(({ value }) => value).join(' ')
      switch (call.program) {
        case 'format':
          return /^[A-Za-z]:/.test(call.args[0]?.value ?? '')
        case 'vssadmin':
          return /\b(delete|resize)\b/i.test(words)
        case 'wmic':
          return /\b(delete|call\s+(terminate|create))\b/i.test(words)
        case 'bcdedit':
          return call.args.length > 0 && !/^\/enum/i.test(words)
        case 'cipher':
          return /\/w/i.test(words)
        case 'reagentc':
          return /\/disable/i.test(words)
        case 'wbadmin':
          return /\bdelete\b/i.test(words)
        case 'fsutil':
          return /\b(deletejournal|setzerodata)\b/i.test(words)
        default:
          return true
      }
    },
    severity: 'critical',
    reason: 'formats a disk, or deletes what could restore it',
    match: [
      'format C: /q',
      'diskpart /s x.txt',
      'vssadmin delete shadows /all /quiet',
      'wmic shadowcopy delete',
      'Clear-Disk -Number 0 -RemoveData',
      'bcdedit /set {default} recoveryenabled No',
      'cipher /w:C',
    ],
    notMatch: ['vssadmin list shadows', 'wmic cpu get name', 'bcdedit', 'prettier --check format', 'npm run format'],
  },
]

/** Whether a flag is there in any of its forms: `-Recurse`, `-rec`, `/s`. */
function hasFlag(call: ProgramCall, name: string, slash: string): boolean {
  return call.parsed.options.some(option => {
    const given = option.name.replace(/:.*$/s, '')
    return given === `/${slash}` || (given.length > 1 && given.startsWith('-') && `-${name}`.startsWith(given))
  })
}

function targets(call: ProgramCall): readonly Argument[] {
  return [...call.operands, ...call.values('-path', '-literalpath', '-lp')]
}
