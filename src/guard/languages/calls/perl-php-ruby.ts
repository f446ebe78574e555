import { type CallPattern, deletesData, httpDeletes, sql } from './call-pattern.ts'

/** The bracket of a call may be missing. */
export const ruby: readonly CallPattern[] = [
  { pattern: /:(?:system|exec|spawn|eval|instance_eval)\.to_proc\b/g, as: 'dynamic' },
  {
    pattern: /\bFileUtils\.(?:rm_rf|rm_r|remove_dir|rmtree|remove_entry(?:_secure)?|remove)\s*[( ]/g,
    as: 'delete-tree',
  },
  { pattern: /(?<![.\w])(?:rm_rf|rm_r|remove_dir|remove_entry_secure)\s*[( ](?=\s*[«\w(])/g, as: 'delete-tree' },
  { pattern: /\.rmtree\b\s*\(?/g, as: 'delete-tree', method: true },
  {
    pattern: /\b(?:File\.(?:delete|unlink)|FileUtils\.(?:rm|rm_f|safe_unlink)|Dir\.(?:delete|rmdir|unlink))\s*[( ]/g,
    as: 'delete',
  },
  {
    pattern: /(?<=\bPathname(?:\.new)?\([^()\n]{1,200}\))\.(?:delete|unlink|rmdir)\b\s*\(?/g,
    as: 'delete',
    method: true,
  },
  { pattern: /&(?:File|FileUtils|Dir)\.method\(:(?:delete|unlink|rm|rm_f|rm_r|rm_rf|rmdir)\)/g, as: 'delete-listed' },
  { pattern: /(?<![.\w:])(?:system|exec|spawn)\s*(?:\(|\s(?=\s*[«§\w[%]))/g, as: 'argv' },
  { pattern: /\b(?:IO\.popen|Process\.spawn|PTY\.spawn|Open3\.\w+)\s*[( ]/g, as: 'argv' },
  { pattern: /(?<![.\w])(?:open|IO\.(?:read|readlines|binread|write)|URI\.open)\s*[( ]\s*(?=«)/g, as: 'open' },
  { pattern: /§/g, as: 'shell' },
  { pattern: /\b(?:File|IO)\.(?:write|binwrite)\s*[( ]/g, as: 'overwrite' },
  { pattern: /\bFile\.truncate\s*[( ]/g, as: 'truncate' },
  { pattern: /\b(?:File\.symlink|FileUtils\.(?:ln_s|ln_sf|symlink))\s*[( ]/g, as: 'link' },
  { pattern: /\bProcess\.kill\s*[( ]/g, as: 'kill' },
  { pattern: /&method\(:(?:system|exec|eval|spawn)\)/g, as: 'dynamic' },
  { pattern: /\bFile\.(?:open|new)\s*[( ]/g, as: 'write' },
  { pattern: /\b(?:File\.rename|FileUtils\.(?:mv|move|cp|cp_r))\s*[( ]/g, as: 'move' },
  { pattern: /\bFileUtils\.(?:chmod|chmod_R)\s*[( ]/g, as: 'chmod' },
  { pattern: /(?<![.\w])(?:eval|instance_eval|class_eval)\s*[( ]/g, as: 'eval' },
  { pattern: /\.(?:instance_eval|class_eval|module_eval|eval)\s*[( ](?=\s*[«\w])/g, as: 'eval' },
  sql,
  deletesData,
  ...httpDeletes,
]

export const perl: readonly CallPattern[] = [
  { pattern: /\b(?:rmtree|remove_tree|pathrmdir)\s*[( ]/g, as: 'delete-tree' },
  { pattern: /->\s*remove_tree\b\s*\(?/g, as: 'delete-tree', method: true },
  { pattern: /(?<![\w$>])(?:unlink|rmdir)\s*(?:\(|\s(?!\s*(?:if|for|unless)\b)|(?=[«$@<]))/g, as: 'delete' },
  { pattern: /(?<![\w$>])(?:unlink|rmdir)\s+(?:for|foreach)\s+/g, as: 'delete' },
  // find(sub { unlink }, "folder")
  {
    pattern:
      /\b(?:find|finddepth)\s*\(\s*(?:sub\s*\{[^{}]{0,200}\b(?:unlink|rmdir)\b[^{}]{0,200}\}|\{[^{}]{0,200}\b(?:unlink|rmdir)\b[^{}]{0,200}\})\s*,/g,
    as: 'delete-tree',
  },
  { pattern: /(?<![\w$>%@])(?:system|exec|shell)\s*(?:\{[^{}]{0,80}\})?\s*(?:\(|\s|(?=[«$@]))/g, as: 'argv' },
  { pattern: /(?<![\w$>])open\s*(?:\(|\s)\s*(?:my\s+|local\s+)?[\w$*]+\s*,/g, as: 'open' },
  { pattern: /(?<![\w$>])sysopen\s*(?:\(|\s)\s*(?:my\s+)?[\w$*]+\s*,/g, as: 'overwrite' },
  { pattern: /(?<![\w$>])truncate\s*(?:\(|\s)\s*(?=«)/g, as: 'truncate' },
  { pattern: /(?<![\w$>])(?:rename|move|copy)\s*(?:\(|\s)/g, as: 'move' },
  { pattern: /\b(?:IO::File->new|path)\s*\([^()\n]{0,200}\)\s*->\s*(?:spew\w*|append\w*)\s*\(/g, as: 'dynamic' },
  { pattern: /§/g, as: 'shell' },
  { pattern: /(?<![\w$>])(?:eval|evalbytes)\s*(?:\(|\s|(?=[«$]))(?!\s*\{)/g, as: 'eval' },
  // s/…/…/ee runs the result as code.
  {
    pattern: /\bs\s*([/|#!,~])(?:(?!\1)[^\n\\]|\\.){0,300}\1(?:(?!\1)[^\n\\]|\\.){0,300}\1[a-z]*e[a-z]*e/g,
    as: 'dynamic',
  },
  { pattern: /(?<![\w$>])syscall\s*\(/g, as: 'dynamic' },
  { pattern: /(?<![\w$>])kill\s*(?:\(|\s)(?=\s*[\d«-])/g, as: 'kill' },
  { pattern: /(?<![\w$>])symlink\s*(?:\(|\s)/g, as: 'link' },
  sql,
]

export const php: readonly CallPattern[] = [
  { pattern: /(?<!->|::|[\w$])(?:unlink|rmdir)\s*\(/g, as: 'delete' },
  { pattern: /(?:->|::)(?:deleteDirectory|deleteDir|cleanDirectory)\s*\(/g, as: 'delete-tree' },
  { pattern: /(?<!->|::|[\w$])(?:system|exec|shell_exec|passthru|popen|proc_open)\s*\(/g, as: 'shell' },
  { pattern: /(?<!->|::|[\w$])pcntl_exec\s*\(/g, as: 'argv' },
  { pattern: /§/g, as: 'shell' },
  { pattern: /(?<!->|::|[\w$])(?:file_put_contents|ftruncate|touch)\s*\(/g, as: 'overwrite' },
  { pattern: /(?<!->|::|[\w$])fopen\s*\(/g, as: 'write' },
  { pattern: /(?<!->|::|[\w$])(?:rename|copy|move_uploaded_file)\s*\(/g, as: 'move' },
  { pattern: /(?<!->|::|[\w$])chmod\s*\(/g, as: 'chmod' },
  { pattern: /(?<!->|::|[\w$])(?:eval|assert)\s*\(/g, as: 'eval' },
  { pattern: /(?<!->|::|[\w$])create_function\s*\(/g, as: 'eval-last' },
  { pattern: /\bFFI::(?:cdef|load)\s*\(|(?<!->|::|[\w$])dl\s*\(/g, as: 'dynamic' },
  sql,
  deletesData,
  ...httpDeletes,
]
