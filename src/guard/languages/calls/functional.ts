import type { CallPattern } from './call-pattern.ts'

export const elixir: readonly CallPattern[] = [
  { pattern: /\bFile\.rm_rf!?\s*[( ]/g, as: 'delete-tree' },
  { pattern: /\bFile\.(?:rm|rmdir)!?\s*[( ]/g, as: 'delete' },
  { pattern: /&File\.(?:rm|rm_rf|rmdir)!?\/1/g, as: 'delete-listed' },
  { pattern: /\bSystem\.(?:cmd)\s*[( ]/g, as: 'argv' },
  { pattern: /\bSystem\.shell\s*[( ]/g, as: 'shell' },
  { pattern: /:os\.cmd\s*[( ]/g, as: 'shell' },
  { pattern: /\bPort\.open\s*\(\s*\{\s*:spawn(?:_executable)?\s*,/g, as: 'shell' },
  { pattern: /:file\.del_dir_r\s*\(/g, as: 'delete-tree' },
  { pattern: /:file\.(?:delete|del_dir)\s*\(/g, as: 'delete' },
  { pattern: /\bFile\.(?:write|touch)!?\s*[( ]/g, as: 'overwrite' },
  { pattern: /\bFile\.(?:rename|cp|cp_r)!?\s*[( ]/g, as: 'move' },
  { pattern: /\bFile\.chmod!?\s*[( ]/g, as: 'chmod' },
  { pattern: /&(?::os\.cmd|System\.(?:cmd|shell)|Code\.eval_string)\/\d/g, as: 'dynamic' },
  { pattern: /\bCode\.(?:eval_string|compile_string)\s*[( ]/g, as: 'eval' },
]

export const erlang: readonly CallPattern[] = [
  { pattern: /\bos:cmd\s*\(/g, as: 'shell' },
  { pattern: /\b(?:file:del_dir_r)\s*\(/g, as: 'delete-tree' },
  { pattern: /\bfile:(?:delete|del_dir)\s*\(/g, as: 'delete' },
  { pattern: /\bfile:(?:write_file|truncate)\s*\(/g, as: 'overwrite' },
  { pattern: /\bfile:(?:rename|copy)\s*\(/g, as: 'move' },
  { pattern: /\b[A-Z]\w{0,30}:(?:[A-Z]\w{0,30}|cmd)\s*\(/g, as: 'dynamic' },
  { pattern: /\bopen_port\s*\(\s*\{\s*spawn(?:_executable)?\s*,/g, as: 'shell' },
]

/** Haskell and OCaml: arguments follow without brackets and commas; `read-code.ts` puts the commas in. */
export const haskell: readonly CallPattern[] = [
  {
    pattern: /\b(?:removeDirectoryRecursive|removePathForcibly|delete_directory_and_contents|rmtree)\s*[($ ]\s*/g,
    as: 'delete-tree',
  },
  { pattern: /\b(?:removeFile|removeDirectory|Sys\.remove|Unix\.(?:unlink|rmdir))\s*[($ ]\s*/g, as: 'delete' },
  {
    pattern:
      /\b(?:callCommand|system|shell|spawnCommand|Sys\.command|Unix\.(?:system|open_process_in))\s*[($ ]\s*(?=[«\w(])/g,
    as: 'shell',
  },
  { pattern: /\b(?:callProcess|rawSystem|readProcess|spawnProcess|proc|Unix\.execvp?)\s*[($ ]\s*(?=«)/g, as: 'argv' },
  { pattern: /\b(?:writeFile|appendFile|open_out)\s*[($ ]\s*/g, as: 'overwrite' },
  { pattern: /\b(?:renameFile|renameDirectory|renamePath|Sys\.rename)\s*[($ ]\s*/g, as: 'move' },
]

/** Scheme, Common Lisp, Clojure, Racket and Emacs Lisp, as `computed-names.ts` rewrites them. */
export const lisp: readonly CallPattern[] = [
  {
    pattern:
      /\b\w*(?:delete_directory_tree|delete_tree|delete_directory_files|delete_directory|delete_recursively|delete_dir|delete_file_recursively)\s*\(/g,
    as: 'delete-tree',
  },
  { pattern: /\b\w*(?:delete_file|delete_if_exists|rename_file_to_trash|move_file_to_trash)\s*\(/g, as: 'delete' },
  {
    pattern:
      /(?<!\w)(?:\w+__?)?(?:system_?|run_shell_command|shell_command(?:_to_string)?|shell|shell_out|async_shell_command)\s*\(/g,
    as: 'argv',
  },
  { pattern: /(?<!\w)(?:clojure\.java\.)?(?:shell_)?sh\s*\(/g, as: 'argv' },
  {
    pattern: /(?<!\w)(?:\w+_)?(?:run_program|process|launch_program|call_process_region)\s*\((?=\s*[«[(])/g,
    as: 'argv',
  },
  { pattern: /(?<!\w)(?:call_process|process_file|os_execute|os_spawn|os_shell)\s*\(/g, as: 'argv' },
  { pattern: /(?<!\w)(?:start_process|make_process)\s*\(\s*(?:«\d+»|\w+)\s*,\s*\S{1,40}\s*,/g, as: 'argv' },
  { pattern: /(?<!\w)(?:spit|open_output_file|with_output_to_file|call_with_output_file)\s*\(/g, as: 'overwrite' },
  { pattern: /(?<!\w)write_region\s*\([^()\n]{0,200},\s*(?=«)/g, as: 'overwrite' },
  { pattern: /(?<!\w)rename_file\s*\(/g, as: 'move' },
  { pattern: /(?<!\w)(?:load_string|eval_string|read_from_string|eval_expression)\s*\(/g, as: 'eval' },
]
