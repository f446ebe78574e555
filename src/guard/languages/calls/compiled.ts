import { type CallPattern, sql } from './call-pattern.ts'

/** Java, Kotlin, Groovy, Scala and C#. */
export const java: readonly CallPattern[] = [
  {
    pattern:
      /\b(?:FileUtils\.(?:deleteDirectory|deleteQuietly|forceDelete|cleanDirectory)|PathUtils\.delete\w*|MoreFiles\.deleteRecursively|Directory\.Delete|FileSystemUtils\.deleteRecursively)\s*\(/g,
    as: 'delete-tree',
  },
  { pattern: /\.(?:deleteDir|deleteRecursively)\s*\(/g, as: 'delete-tree', method: true },
  { pattern: /\b(?:Files\.(?:delete|deleteIfExists)|File\.Delete|os\.remove(?:\.all)?)\s*\(/g, as: 'delete' },
  { pattern: /(?<!\bFiles|\bFile)\.(?:delete|deleteOnExit)\s*\(\s*\)/g, as: 'delete', method: true },
  { pattern: /\b(?:File|Files)::delete\w*/g, as: 'delete-listed' },
  { pattern: /\bRuntime\.getRuntime\(\)\.exec\s*\(/g, as: 'argv' },
  { pattern: /\b(?:ProcessBuilder|Process|Process\.Start|ProcessStartInfo|os\.proc)\s*\((?=\s*[^)\s])/g, as: 'argv' },
  { pattern: /\.execute\s*\(\s*\)/g, as: 'argv', method: true },
  // Scala: "command".! and "command".!!
  { pattern: /(?<=»)\s*\.?!{1,2}(?!=)/g, as: 'argv', method: true },
  { pattern: /\bFiles\.(?:write|writeString|newBufferedWriter|newOutputStream)\s*\(/g, as: 'overwrite' },
  { pattern: /\bnew\s+(?:FileWriter|FileOutputStream|PrintWriter|StreamWriter)\s*\(/g, as: 'overwrite' },
  { pattern: /\bFile\.(?:WriteAll\w+|AppendAll\w+|Create)\s*\(/g, as: 'overwrite' },
  { pattern: /\.(?:writeText|appendText|writeBytes)\s*\(/g, as: 'overwrite', method: true },
  { pattern: /\b(?:Files\.(?:move|copy)|File\.(?:Move|Copy)|Directory\.Move)\s*\(/g, as: 'move' },
  { pattern: /\b(?:Eval\.me|GroovyShell\(\)\.evaluate)\s*\(/g, as: 'eval' },
  sql,
]

/** C, C++, D, Go, Swift, Dart, Zig and V. */
export const c: readonly CallPattern[] = [
  {
    pattern:
      /\b(?:os\.(?:RemoveAll|rmdir_all)|(?:std::)?(?:filesystem|fs)::remove_all|rmdirRecurse|deleteTree\w*|removeItem|trashItem)\s*\(/g,
    as: 'delete-tree',
  },
  {
    pattern: /(?<=\b(?:Directory|File)\([^()\n]{1,200}\))\.(?:delete|deleteSync)\s*\(/g,
    as: 'delete-tree',
    method: true,
  },
  { pattern: /\b(?:os\.(?:Remove|rm|rmdir)|syscall\.(?:Unlink|Rmdir)|deleteFile\w*)\s*\(/g, as: 'delete' },
  { pattern: /(?<![.\w>])(?:remove|unlink|rmdir|std::remove)\s*\((?!\s*\))/g, as: 'delete' },
  {
    pattern: /(?<![.\w>])(?:std::)?(?:system|popen|executeShell|spawnShell)\s*\(|\bos\.(?:system|execute)\s*\(/g,
    as: 'shell',
  },
  { pattern: /(?<![.\w>])(?:execl|execlp|execle|execv|execvp|execve|execvpe|posix_spawnp?)\s*\(/g, as: 'exec' },
  { pattern: /\bexec\.Command\s*\(/g, as: 'argv' },
  { pattern: /\bexec\.CommandContext\s*\(\s*[\w.()]+\s*,/g, as: 'argv' },
  { pattern: /\bsyscall\.Exec\s*\(/g, as: 'exec' },
  { pattern: /\bProcess\.(?:run|runSync|start)\s*\(|(?<![.\w])(?:spawnProcess)\s*\(/g, as: 'argv' },
  {
    pattern:
      /\b(?:os\.(?:WriteFile|Create|Truncate|write_file)|ioutil\.WriteFile|(?:std::)?ofstream\s+\w+|(?:std::)?ofstream)\s*[({]/g,
    as: 'overwrite',
  },
  { pattern: /(?<![.\w>])(?:fopen|freopen)\s*\(/g, as: 'write' },
  { pattern: /\b(?:os\.(?:Rename|mv)|(?:std::)?rename)\s*\(/g, as: 'move' },
  { pattern: /\bos\.Chmod\s*\(|(?<![.\w>])chmod\s*\(/g, as: 'chmod' },
  sql,
]

export const rust: readonly CallPattern[] = [
  { pattern: /\bremove_dir_all\s*\(/g, as: 'delete-tree' },
  { pattern: /\b(?:remove_file|remove_dir)\s*\(/g, as: 'delete' },
  { pattern: /\bCommand::new\s*\(/g, as: 'argv' },
  { pattern: /\b(?:libc::)?system\s*\(|\bcmd!\s*\(/g, as: 'shell' },
  { pattern: /\b(?:fs::write|File::create|OpenOptions[^;\n]{0,200}\.open)\s*\(/g, as: 'overwrite' },
  { pattern: /\bfs::(?:rename|copy)\s*\(/g, as: 'move' },
]
