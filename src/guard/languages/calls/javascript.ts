import { type CallPattern, deletesData, httpDeletes, sql } from './call-pattern.ts'

/** Node.js, Deno and Bun. */
export const javascript: readonly CallPattern[] = [
  // Bun and zx run the string after a dollar sign.
  { pattern: /(?<!\w)\$\s*(?=«)/g, as: 'shell' },
  {
    pattern:
      /\b(?:rm|rmSync|rmdir|rmdirSync|removeSync|emptyDir|emptyDirSync|Deno\.remove|fse?\.remove|rimraf(?:\.sync)?|rimrafSync)\s*\(/g,
    as: 'delete-tree',
  },
  { pattern: /\b(?:unlink|unlinkSync)\s*\(/g, as: 'delete' },
  { pattern: /(?<=\bBun\.file\([^()\n]{1,200}\))\.(?:delete|unlink)\s*\(/g, as: 'delete', method: true },
  {
    pattern: /[(,]\s*(?:require\(«\d+»\)\.|\w+\.){0,3}(?:unlinkSync|unlink|rmSync|rmdirSync|removeSync)(?=\s*[,)])/g,
    as: 'delete-listed',
  },
  {
    pattern: /(?:(?<![.\w])exec|\bexecSync|\)\.exec|\b(?:cp|child_process|childProcess)\.exec)\s*\((?!\s*\))/g,
    as: 'shell',
  },
  { pattern: /\b(?:spawn|spawnSync|execFile|execFileSync|Deno\.Command|Deno\.run|execa(?:Sync)?)\s*\(/g, as: 'argv' },
  { pattern: /\bexeca(?:Command|CommandSync|\.command)\s*\(/g, as: 'shell' },
  {
    pattern:
      /\b(?:writeFile|writeFileSync|appendFile|appendFileSync|createWriteStream|outputFile|outputFileSync|writeTextFile|writeTextFileSync|Bun\.write|Deno\.create)\s*\(/g,
    as: 'overwrite',
  },
  { pattern: /\b(?:truncate|truncateSync)\s*\(/g, as: 'truncate' },
  { pattern: /\b(?:openSync|fs\.open)\s*\(/g, as: 'write' },
  { pattern: /\b(?:chmod|chmodSync)\s*\(/g, as: 'chmod' },
  { pattern: /\b(?:chown|chownSync)\s*\(/g, as: 'chown' },
  { pattern: /\b(?:symlink|symlinkSync|linkSync)\s*\(/g, as: 'link' },
  { pattern: /\bprocess\.kill\s*\(/g, as: 'kill' },
  { pattern: /\b(?:rename|renameSync|copyFileSync|cpSync|moveSync)\s*\(/g, as: 'move' },
  { pattern: /(?<![.\w])eval\s*\(/g, as: 'eval' },
  { pattern: /(?<![.\w])(?:new\s+)?Function\s*\(|\.constructor\s*\((?=\s*«)/g, as: 'eval-last' },
  { pattern: /\b(?:runInThisContext|runInNewContext|runInContext|_compile|vm\.Script)\s*\(/g, as: 'eval' },
  { pattern: /(?<![.\w])(?:setTimeout|setInterval|setImmediate)\s*\((?=\s*«)/g, as: 'eval' },
  { pattern: /\bprocess\.(?:binding|dlopen)\s*\(/g, as: 'dynamic' },
  sql,
  deletesData,
  ...httpDeletes,
]
