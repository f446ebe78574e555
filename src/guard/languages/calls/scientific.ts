import { type CallPattern, sql } from './call-pattern.ts'

export const r: readonly CallPattern[] = [
  { pattern: /\b(?:unlink|file\.remove|dir_delete|file_delete)\s*\(/g, as: 'delete-tree' },
  { pattern: /\b(?:system2?|shell|processx::run|sys::exec_wait)\s*\(/g, as: 'argv' },
  { pattern: /\b(?:pipe|shell\.exec)\s*\(/g, as: 'shell' },
  { pattern: /(?<![\w.])file\s*\(/g, as: 'write' },
  {
    pattern: /\b(?:writeLines|saveRDS|write\.(?:csv|table)|cat|sink|dput)\s*\([^()\n]{0,200}\b(?:file|con)\s*=\s*/g,
    as: 'overwrite',
  },
  { pattern: /\b(?:writeLines|saveRDS|write\.csv)\s*\((?=[^()=\n]{0,200}\))/g, as: 'write-last' },
  { pattern: /\b(?:file\.rename|file\.copy)\s*\(/g, as: 'move' },
  { pattern: /\bSys\.chmod\s*\(/g, as: 'chmod' },
  { pattern: /\beval\s*\(\s*(?:parse|str2lang|str2expression)\s*\(\s*(?:text\s*=\s*)?/g, as: 'eval' },
  sql,
]

export const julia: readonly CallPattern[] = [
  { pattern: /(?<![\w@])(?:Base\.|Base\.Filesystem\.)?rm\s*\(/g, as: 'delete-tree' },
  { pattern: /\b(?:foreach|map|broadcast)\s*\(\s*rm\s*,/g, as: 'delete-tree' },
  { pattern: /(?<!\w)rm\.\s*\(/g, as: 'delete-tree' },
  { pattern: /§/g, as: 'shell' },
  { pattern: /\bCmd\s*\(\s*/g, as: 'argv' },
  { pattern: /\bccall\s*\(\s*:(?:system|popen)\s*,[^«\n]{0,100}(?=«)/g, as: 'shell' },
  { pattern: /(?<![\w.])open\s*\(/g, as: 'write' },
  { pattern: /(?<![\w.])write\s*\((?=\s*(?:«|joinpath|expanduser|homedir))/g, as: 'overwrite' },
  { pattern: /(?<![\w.])(?:mv|cp)\s*\(/g, as: 'move' },
  { pattern: /(?<![\w.])chmod\s*\(/g, as: 'chmod' },
  { pattern: /\b(?:Meta\.parse|include_string\s*\(\s*\w+\s*,|Base\.parse_input_line)\s*\(?/g, as: 'eval' },
]

/** Octave and MATLAB. */
export const octave: readonly CallPattern[] = [
  { pattern: /(?<![\w.])rmdir\s*\(/g, as: 'delete-tree' },
  { pattern: /(?<![\w.])(?:delete|unlink)\s*\((?=\s*(?:«|\[|\w+\s*\())/g, as: 'delete' },
  { pattern: /(?<![\w.])(?:system|shell_cmd|unix|dos|popen)\s*\(/g, as: 'shell' },
  { pattern: /(?<![\w.])(?:eval|evalc|evalin)\s*\(/g, as: 'eval' },
  { pattern: /(?<![\w.])fopen\s*\(/g, as: 'write' },
  { pattern: /(?<![\w.])(?:movefile|rename|copyfile)\s*\(/g, as: 'move' },
  { pattern: /(?:^|[;\n])\s*!\s*/g, as: 'rest' },
]
