import type { GuardRule } from '../rule.ts'

/** Languages that src/guard/languages does not read: a few telling words give their code away. */
export const scriptingRules: readonly GuardRule[] = [
  {
    id: 'code/applescript',
    program: 'osascript',
    when: call =>
      call
        .values('-e')
        .find(({ value }) =>
          /\b(delete|empty (the )?trash|shut down|restart|log out|keystroke|key code|move .* to (the )?trash|with administrator privileges|display dialog .*hidden answer)\b/i.test(
            value,
          ),
        ) ?? false,
    severity: 'high',
    reason: 'makes other programs delete, type or ask for passwords',
    match: [
      `osascript -e 'tell application "Finder" to delete every item of desktop'`,
      `osascript -e 'tell app "System Events" to keystroke "x"'`,
    ],
    notMatch: [`osascript -e 'display notification "done"'`, `osascript -e 'return 1'`],
  },
  {
    id: 'code/expect',
    program: 'expect',
    when: call =>
      call.value('-c') !== null &&
      /\bsend\b.*\b(rm\s+-|mkfs|shutdown|reboot|drop\s|dd\s)/i.test(call.value('-c')?.value ?? ''),
    severity: 'high',
    reason: 'types dangerous commands into another program',
    match: [`expect -c 'spawn ssh root@host; send "rm -rf /\\r"'`],
    notMatch: [`expect -c 'spawn ssh host; interact'`],
  },
  {
    id: 'code/debugger',
    program: ['gdb', 'lldb'],
    when: call =>
      call
        .values('-ex', '-eval-command', '-iex', '-o', '--one-line')
        .find(({ value }) => /\b(call|system|dlopen|shell|expr|set\s+var|write)\b|^!/.test(value)) ?? false,
    severity: 'high',
    reason: 'changes a running program, or runs commands in it',
    match: [`gdb -p 1234 -ex 'call (int)system("id")' -batch`],
    notMatch: ['gdb -batch -ex bt ./app core', 'lldb -o bt ./app'],
  },
  {
    id: 'code/emacs',
    program: ['emacs', 'emacsclient'],
    when: call =>
      call
        .values('--eval', '-eval')
        .find(({ value }) =>
          /\((delete-directory|delete-file|rename-file|write-region)\b[^)]*["'](\/|~)/.test(value),
        ) ?? false,
    severity: 'high',
    reason: 'deletes or overwrites files outside the workspace',
    match: [`emacs --batch --eval '(delete-directory "/etc" t)'`],
    notMatch: [`emacs --batch --eval '(message "x")'`],
  },
  {
    id: 'code/tcl',
    program: ['tclsh', 'wish'],
    when: ({ stdin }) => /\b(exec|file\s+delete|socket|open\s+["{]?\|)/.test(stdin.text ?? ''),
    severity: 'high',
    reason: 'runs programs or deletes files from Tcl code',
    match: ["tclsh <<< 'exec rm -rf /etc'"],
    notMatch: ['tclsh script.tcl', "tclsh <<< 'puts 1'"],
  },
]
