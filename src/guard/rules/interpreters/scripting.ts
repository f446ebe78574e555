import type { GuardRule } from '../rule.ts'

/** Languages that src/guard/languages does not read: a few telling words give their code away. */
export const scriptingRules: readonly GuardRule[] = [
  {
    id: 'code/applescript',
    program: 'osascript',
    when: call =>
      call
        .values('-e')
        .find(
          ({ value }) =>
            /\b(delete|empty (the )?trash|shut down|restart|log out|keystroke|key code|with administrator privileges)\b/i.test(
              value,
            ) ||
            followed(value, /\bmove /i, / to (the )?trash\b/i) ||
            followed(value, /\bdisplay dialog /i, /hidden answer\b/i),
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
    when: call => followed(call.value('-c')?.value ?? '', /\bsend\b/i, /\b(rm\s+-|mkfs|shutdown|reboot|drop\s|dd\s)/i),
    severity: 'high',
    reason: 'types dangerous commands into another program',
    match: [`expect -c 'spawn ssh root@host; send "rm -rf /\\r"'`],
    notMatch: [`expect -c 'spawn ssh host; interact'`],
  },
  {
    id: 'code/debugger',
    program: ['gdb', 'lldb'],
    option: { '-ex -eval-command -iex -o --one-line': /\b(call|system|dlopen|shell|expr|set\s+var|write)\b|^!/ },
    severity: 'high',
    reason: 'changes a running program, or runs commands in it',
    match: [`gdb -p 1234 -ex 'call (int)system("id")' -batch`],
    notMatch: ['gdb -batch -ex bt ./app core', 'lldb -o bt ./app'],
  },
  {
    id: 'code/emacs',
    program: ['emacs', 'emacsclient'],
    option: {
      '--eval -eval': /\((delete-directory|delete-file|rename-file|write-region)\b[^)]*["'](\/|~)/,
    },
    severity: 'high',
    reason: 'deletes or overwrites files outside the workspace',
    match: [`emacs --batch --eval '(delete-directory "/etc" t)'`],
    notMatch: [`emacs --batch --eval '(message "x")'`],
  },
  {
    id: 'code/tcl',
    program: ['tclsh', 'wish'],
    when: ({ stdin }) => /\bsocket\s+(?!-server)|\bload\s+["{]?\//.test(stdin.text ?? ''),
    severity: 'high',
    reason: 'connects to other machines, or loads libraries, from Tcl code',
    match: ["tclsh <<< 'set s [socket 10.0.0.1 4444]; fconfigure $s'"],
    notMatch: ['tclsh script.tcl', "tclsh <<< 'puts 1'", "tclsh <<< 'puts [exec date]'"],
  },
]

/** Whether the second pattern matches somewhere after the first; one pattern with `.*` would search the rest again and again. */
function followed(text: string, first: RegExp, second: RegExp): boolean {
  const at = text.search(first)
  return at >= 0 && second.test(text.slice(at))
}
