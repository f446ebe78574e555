import { eachDeletion } from './data-deletions.ts'
import type { Language } from './skeleton.ts'

/** A dangerous call: where its arguments start, and what it would be in a shell (see `read-code.ts`). */
export interface CallPattern {
  /** Ends after the opening bracket. The group `own` is the object of a method call, which counts as its first argument. */
  pattern: RegExp
  as:
    | 'delete-tree'
    | 'delete'
    | 'write'
    | 'overwrite'
    | 'chmod'
    | 'move'
    | 'shell'
    | 'argv'
    | 'sql'
    | 'delete-data'
    | 'eval'
}

const sql: CallPattern = {
  pattern:
    /\.(?:execute|executemany|executescript|query|raw|exec_driver_sql|\$executeRawUnsafe|\$queryRawUnsafe|unsafe|exec)\s*\((?=\s*[rbuf]?«)/g,
  as: 'sql',
}

/** Clients of databases and clouds, whose calls have the same names in every language. */
const deletesData: CallPattern = { pattern: eachDeletion, as: 'delete-data' }

/** To cover a new call or a new language, add a line here. */
export const dangerousCalls: Readonly<Partial<Record<Language, readonly CallPattern[]>>> = {
  python: [
    { pattern: /\brmtree\s*\(/g, as: 'delete-tree' },
    { pattern: /\bos\.(?:remove|unlink|rmdir|removedirs)\s*\(/g, as: 'delete' },
    { pattern: /(?<own>(?:pathlib\.)?Path\([^()]*\))\.(?:unlink|rmdir)\s*\(/g, as: 'delete' },
    { pattern: /(?:\bos|\))\.(?:system|popen)\s*\(/g, as: 'shell' },
    { pattern: /\b(?:subprocess\.)?(?:getoutput|getstatusoutput)\s*\(/g, as: 'shell' },
    { pattern: /\bsubprocess\.(?:run|call|check_call|check_output|Popen)\s*\(/g, as: 'argv' },
    { pattern: /\bos\.(?:spawn[lv]p?e?)\s*\(\s*[\w.]+\s*,/g, as: 'argv' },
    { pattern: /\bos\.exec[lv]p?e?\s*\(/g, as: 'argv' },
    { pattern: /(?<![.\w])open\s*\(/g, as: 'write' },
    { pattern: /(?<own>(?:pathlib\.)?Path\([^()]*\))\.write_(?:text|bytes)\s*\(/g, as: 'overwrite' },
    { pattern: /\bos\.chmod\s*\(/g, as: 'chmod' },
    { pattern: /\b(?:shutil\.move|os\.rename|os\.replace)\s*\(/g, as: 'move' },
    { pattern: /(?<![.\w])(?:exec|eval)\s*\(/g, as: 'eval' },
    sql,
    deletesData,
  ],
  javascript: [
    // Bun and zx run the string after a dollar sign.
    { pattern: /(?<!\w)\$\s*(?=«)/g, as: 'shell' },
    {
      pattern:
        /\b(?:rm|rmSync|rmdir|rmdirSync|removeSync|emptyDirSync|Deno\.remove|rimraf(?:\.sync)?|rimrafSync)\s*\(/g,
      as: 'delete-tree',
    },
    { pattern: /\b(?:unlink|unlinkSync)\s*\(/g, as: 'delete' },
    {
      pattern: /(?:(?<![.\w])exec|\bexecSync|\)\.exec|\b(?:cp|child_process|childProcess)\.exec)\s*\((?!\s*\))/g,
      as: 'shell',
    },
    { pattern: /\b(?:spawn|spawnSync|execFile|execFileSync)\s*\(/g, as: 'argv' },
    {
      pattern: /\b(?:writeFile|writeFileSync|appendFile|appendFileSync|createWriteStream|truncateSync)\s*\(/g,
      as: 'overwrite',
    },
    { pattern: /\b(?:chmod|chmodSync)\s*\(/g, as: 'chmod' },
    { pattern: /\b(?:rename|renameSync)\s*\(/g, as: 'move' },
    { pattern: /(?<![.\w])(?:eval|new\s+Function)\s*\(/g, as: 'eval' },
    sql,
    deletesData,
  ],
  ruby: [
    { pattern: /\bFileUtils\.(?:rm_rf|rm_r|remove_dir|rmtree|remove_entry(?:_secure)?)\s*[( ]/g, as: 'delete-tree' },
    {
      pattern: /\b(?:File\.(?:delete|unlink)|FileUtils\.rm(?:_f)?|Dir\.(?:delete|rmdir|unlink))\s*[( ]/g,
      as: 'delete',
    },
    { pattern: /(?<![.\w])(?:system|exec|spawn)\s*[( ]/g, as: 'argv' },
    { pattern: /\bIO\.popen\s*[( ]/g, as: 'argv' },
    { pattern: /§/g, as: 'shell' },
    { pattern: /\bFile\.(?:write|binwrite)\s*[( ]/g, as: 'overwrite' },
    { pattern: /\bFile\.(?:open|new)\s*[( ]/g, as: 'write' },
    { pattern: /(?<![.\w])(?:eval|instance_eval)\s*[( ]/g, as: 'eval' },
    sql,
    deletesData,
  ],
  perl: [
    { pattern: /\b(?:rmtree|remove_tree)\s*[( ]/g, as: 'delete-tree' },
    { pattern: /(?<![\w$])(?:unlink|rmdir)\s*[( ]/g, as: 'delete' },
    { pattern: /(?<![\w$])(?:system|exec)\s*[( ]/g, as: 'argv' },
    { pattern: /§/g, as: 'shell' },
    { pattern: /(?<![\w$])eval\s*[( ]/g, as: 'eval' },
    sql,
  ],
  php: [
    { pattern: /(?<![\w>:])(?:unlink|rmdir)\s*\(/g, as: 'delete' },
    { pattern: /(?<![\w>:])(?:system|exec|shell_exec|passthru|popen|proc_open)\s*\(/g, as: 'shell' },
    { pattern: /§/g, as: 'shell' },
    { pattern: /(?<![\w>:])file_put_contents\s*\(/g, as: 'overwrite' },
    { pattern: /(?<![\w>:])fopen\s*\(/g, as: 'write' },
    { pattern: /(?<![\w>:])(?:eval|assert)\s*\(/g, as: 'eval' },
    sql,
    deletesData,
  ],
  lua: [
    { pattern: /\bos\.remove\s*[( ]/g, as: 'delete' },
    { pattern: /\b(?:os\.execute|io\.popen)\s*[( ]/g, as: 'shell' },
    { pattern: /\bio\.open\s*\(/g, as: 'write' },
  ],
  awk: [
    { pattern: /\bsystem\s*\(/g, as: 'shell' },
    // Only `||` is something else than a pipe into a command.
    { pattern: /(?<!\|)\|&?\s*(?=«)/g, as: 'shell' },
    { pattern: /(?=«\d+»\s*\|\s*getline)/g, as: 'shell' },
    { pattern: /\bprintf?(?:(?!\bprint)[^;}>])*>{1,2}\s*(?=«)/g, as: 'overwrite' },
  ],
  applescript: [{ pattern: /\bdo shell script\s+/g, as: 'shell' }],
  r: [
    { pattern: /\b(?:unlink|file\.remove)\s*\(/g, as: 'delete-tree' },
    { pattern: /\b(?:system2?|shell)\s*\(/g, as: 'argv' },
  ],
}
