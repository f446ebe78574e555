import type { Analysis, Frame } from '../interpret/analysis.ts'
import { type Argument, origins, texts } from '../interpret/arguments.ts'
import { emptyStream, type Stream, unknownStream } from '../interpret/streams.ts'
import { reportDynamicCode, reportRemoteCode } from '../interpret/unseen-code.ts'
import type { ProgramCall } from '../program-call.ts'

/** Runs cmd /c, powershell -Command and -EncodedCommand, iex; null for other programs. */
export function runWindowsShell(call: ProgramCall, analysis: Analysis): Stream | null {
  switch (call.program) {
    case 'cmd':
      return runAfter(call, analysis, /^\/[cCkK]$/)
    case 'powershell':
    case 'pwsh':
      return powershell(call, analysis)
    case 'invoke-expression':
    case 'iex':
      return invokeExpression(call, analysis)
    case 'start-process':
    case 'saps': {
      const [first] = call.args.filter(({ value }) => !value.startsWith('-'))
      return first
        ? runText(texts(call.args.filter(({ value }) => !/^-/.test(value))).join(' '), first, call, analysis)
        : null
    }
    default:
      return null
  }
}

/** Keeps the backslashes of Windows paths from being read as escapes. Lengths, and therefore spans, stay the same. */
export function withForwardSlashes(source: string): string {
  return looksLikeWindows.test(source) ? source.replace(/\\(?=[\w*?.%$~-]|\s|$|["'])/g, '/') : source
}

const looksLikeWindows =
  /(^|[\s;&|("'`])((Remove|Clear|Get|Set|New|Stop|Start|Restart|Copy|Move|Rename|Add|Format|Invoke|Out|Test|Import|Export|Disable|Enable|Register|Unregister|Initialize)-[A-Z]\w+|del|erase|rd|rmdir\s+\/s|reg\s+(add|delete|query|import)|icacls|takeown|robocopy|xcopy|certutil|cmd(\.exe)?\s+\/[cCkK]|powershell(\.exe)?|pwsh|schtasks|bitsadmin|ri|format\s+[A-Z]:)(\s|$)/

function powershell(call: ProgramCall, analysis: Analysis): Stream | null {
  const at = call.args.findIndex(({ value }) => /^[-/](c|command|co\w*|e|ec|en\w*)$/i.test(value))
  const option = call.args[at]?.value ?? ''
  const given = call.args[at + 1]
  if (at >= 0 && given && /^[-/]e/i.test(option)) {
    const decoded = Buffer.from(given.value, 'base64').toString('utf16le')
    if (/^[\s!-~]+$/.test(decoded)) return runText(decoded, given, call, analysis)
    reportDynamicCode(given, call.frame, analysis)
    return unknownStream
  }
  if (at >= 0 && given) return runText(texts(call.args.slice(at + 1)).join(' '), given, call, analysis)
  if (call.stdin.from & origins.network) reportRemoteCode({ span: call.frame.span }, call.frame, analysis)
  const script = call.args.find(({ value }) => !value.startsWith('-'))
  return script && /\s|-\w+/.test(script.value)
    ? runText(
        texts(call.args.filter(({ value }) => !/^-(nop|noprofile|noni|w|ep|executionpolicy|bypass)/i.test(value))).join(
          ' ',
        ),
        script,
        call,
        analysis,
      )
    : emptyStream
}

function invokeExpression(call: ProgramCall, analysis: Analysis): Stream {
  const from = call.args.reduce((bits, arg) => bits | arg.from, call.stdin.from)
  const text = texts(call.args).join(' ')
  if (from & origins.network || /DownloadString|Invoke-WebRequest|\b(iwr|irm|curl|wget)\b|https?:/i.test(text)) {
    reportRemoteCode({ span: call.frame.span }, call.frame, analysis)
  } else if (call.args.length === 0 || text.includes('\0'))
    reportDynamicCode({ span: call.frame.span }, call.frame, analysis)
  const [first] = call.args
  return first ? runText(text, first, call, analysis) : unknownStream
}

function runAfter(call: ProgramCall, analysis: Analysis, option: RegExp): Stream | null {
  const at = call.args.findIndex(({ value }) => option.test(value))
  const first = call.args[at + 1]
  return at < 0 || !first ? null : runText(texts(call.args.slice(at + 1)).join(' '), first, call, analysis)
}

function runText(text: string, at: Argument, call: ProgramCall, analysis: Analysis): Stream {
  const frame: Frame = { ...call.frame, via: [...call.frame.via, call.program] }
  return analysis.runShellCode(withForwardSlashes(text), at.span, frame)
}
