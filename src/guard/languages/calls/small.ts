import type { CallPattern } from './call-pattern.ts'

export const lua: readonly CallPattern[] = [
  { pattern: /\bpairs\s*\(\s*(?:os|io|_G)\s*\)/g, as: 'dynamic' },
  { pattern: /\b(?:os\.remove|lfs\.rmdir|vim\.fs\.rm|vim\.fn\.delete)\s*(?:\(|(?=«))/g, as: 'delete' },
  { pattern: /\b(?:os\.execute|io\.popen|vim\.fn\.system)\s*(?:\(|(?=«))/g, as: 'shell' },
  { pattern: /\b(?:io\.open)\s*\(/g, as: 'write' },
  { pattern: /\bio\.output\s*\((?=\s*[«\w])/g, as: 'overwrite' },
  { pattern: /\bos\.rename\s*\(/g, as: 'move' },
  { pattern: /\bpackage\.loadlib\s*\(/g, as: 'dynamic' },
  { pattern: /(?<![.\w])(?:load|loadstring)\s*(?:\(|(?=«))/g, as: 'eval' },
]

export const awk: readonly CallPattern[] = [
  { pattern: /\bsystem\s*\(/g, as: 'shell' },
  // Only `||` is something else than a pipe into a command.
  { pattern: /(?<!\|)\|&?\s*(?=«)/g, as: 'pipe' },
  { pattern: /(?=«\d+»\s*\|\s*getline)/g, as: 'shell' },
  { pattern: /(?<![\w|$])(?=\w{1,60}\s*\|&?\s*getline)/g, as: 'shell' },
  { pattern: /\bprintf?\b[^;}>|\n]{0,200}(?<!\|)\|&?\s*(?=[A-Za-z_]\w{0,60}\s*(?:[;}\n]|$))/g, as: 'pipe' },
  { pattern: /\bprintf?(?:(?!\bprint)[^;}>])*>{1,2}\s*(?=«)/g, as: 'overwrite' },
]

export const applescript: readonly CallPattern[] = [{ pattern: /\bdo shell script\s+/g, as: 'shell' }]

export const nim: readonly CallPattern[] = [
  { pattern: /\b(?:removeDir|rmDir)\s*[( ]/g, as: 'delete-tree' },
  { pattern: /\b(?:removeFile|rmFile|tryRemoveFile)\s*[( ]/g, as: 'delete' },
  {
    pattern:
      /\b(?:execShellCmd|execCmd|execCmdEx|execProcess|staticExec|gorge|gorgeEx|exec|selfExec)\s*(?:\(|\s(?=\s*«))/g,
    as: 'shell',
  },
  { pattern: /\b(?:writeFile)\s*[( ]/g, as: 'overwrite' },
  { pattern: /\b(?:moveFile|moveDir|mvFile|mvDir|copyFile|cpFile)\s*[( ]/g, as: 'move' },
]

/** In Tcl, words need no quotes. */
export const tcl: readonly CallPattern[] = [
  { pattern: /(?<![\w$])exec\s+(?:-\w+\s+)*/g, as: 'rest' },
  { pattern: /(?<![\w$])spawn\s+(?:-noecho\s+)?/g, as: 'rest' },
  { pattern: /(?<![\w$])open\s+["{]?\|\s*/g, as: 'rest' },
  { pattern: /(?<![\w$])file\s+delete\s+(?:-force\s+)?(?:--\s+)?/g, as: 'delete-rest' },
  { pattern: /(?<![\w$])socket\s+(?!-server)/g, as: 'dynamic' },
]
