import type { CompletionCommand, CompletionFlag, CompletionTree } from './tree.ts'

// The three scripts, from one description of the commands. The names of commands and flags are our own, so only the texts
// for people need quoting. Each script first finds the longest command that the words name, then what can follow it.

const list = (noun: string) => `beckon __complete ${noun} 2>/dev/null`

export const scripts = { bash, zsh, fish }

function bash(tree: CompletionTree): string {
  const paths = tree.filter(({ path }) => path !== '').map(({ path }) => `'${path}'`)
  const values = tree.flatMap(({ path, flags }) =>
    flags.filter(flag => flag.takesValue).map(flag => `    '${path}:${flag.name}') ${bashValue(flag)}; return ;;`),
  )
  const flags = tree.map(({ path, flags }) => `      '${path}') words='${flags.map(flag => flag.name).join(' ')}' ;;`)
  const firsts = tree.flatMap(({ path, ids, words }) => {
    if (ids !== null) return [`      '${path}') words=$(${list(ids)} | cut -f1) ;;`]
    return words.length > 0 ? [`      '${path}') words='${words.map(({ name }) => name).join(' ')}' ;;`] : []
  })
  return `_beckon() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} words='' path='' next known count=1
  COMPREPLY=()
  while ((count < COMP_CWORD)); do
    next="\${path:+$path }\${COMP_WORDS[count]}"
    for known in ${paths.join(' ')}; do
      if [[ $known == "$next" ]]; then path=$next; ((count++)); continue 2; fi
    done
    break
  done
  case "$path:$prev" in
${values.join('\n')}
  esac
  if [[ $cur == -* ]]; then
    case "$path" in
${flags.join('\n')}
    esac
  elif ((COMP_CWORD == count)); then
    case "$path" in
${firsts.join('\n')}
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -o default -F _beckon beckon
`
}

function bashValue({ takesFile, ids, choices }: CompletionFlag): string {
  if (takesFile) return 'COMPREPLY=($(compgen -f -- "$cur"))'
  if (ids !== null) return `COMPREPLY=($(compgen -W "$(${list(ids)} | cut -f1)" -- "$cur"))`
  return choices.length > 0 ? `COMPREPLY=($(compgen -W '${choices.join(' ')}' -- "$cur"))` : ':'
}

function zsh(tree: CompletionTree): string {
  const paths = tree.filter(({ path }) => path !== '').map(({ path }) => `'${path}'`)
  const cases = tree.map(command => {
    const flags = command.flags.map(flag => quote(`${flag.name}[${plain(flag.about)}]${zshValue(flag)}`))
    return `    '${command.path}') _arguments ${[...flags, ...zshFirst(command), "'*:file:_files'"].join(' ')} ;;`
  })
  return `#compdef beckon
_beckon_ids() {
  local -a found
  local id title
  while IFS=$'\\t' read -r id title; do found+=("$id:\${title//:/\\\\:}"); done < <(beckon __complete $1 2>/dev/null)
  _describe $1 found
}
${tree
  .filter(({ words }) => words.length > 0)
  .map(zshWords)
  .join('\n')}
_beckon() {
  # Not called path, which is PATH in zsh.
  local named='' next
  local -a known=(${paths.join(' ')})
  while ((CURRENT > 2)); do
    next="\${named:+$named }$words[2]"
    ((\${known[(Ie)$next]})) || break
    named=$next
    shift words
    ((CURRENT--))
  done
  case $named in
${cases.join('\n')}
  esac
}
compdef _beckon beckon
`
}

function zshWords({ path, words }: CompletionCommand): string {
  const described = words.map(({ name, about }) => quote(about === '' ? name : `${name}:${about}`))
  return `${zshName(path)}() { local -a offered=(${described.join(' ')}); _describe command offered }`
}

/** The space before a function keeps _arguments from adding arguments of its own. */
function zshFirst({ path, ids, words }: CompletionCommand): string[] {
  if (ids !== null) return [`'1:${ids}: _beckon_ids ${ids}'`]
  return words.length > 0 ? [`'1:command:${zshName(path)}'`] : []
}

function zshName(path: string): string {
  return `_beckon_words_${path.replaceAll(/\W/g, '_')}`
}

function zshValue({ takesValue, takesFile, ids, choices, name }: CompletionFlag): string {
  if (!takesValue) return ''
  if (ids !== null) return `:${ids}: _beckon_ids ${ids}`
  return `:${name.slice(2)}:${takesFile ? '_files' : choices.length > 0 ? `(${choices.join(' ')})` : ' '}`
}

function fish(tree: CompletionTree): string {
  const paths = tree.filter(({ path }) => path !== '').map(({ path }) => `'${path}'`)
  const lines = tree.flatMap(({ path, ids, words, flags }) => {
    const inside = `complete -c beckon -n '__beckon_at ${quote(path).replaceAll("'", '"')}'`
    const first = `complete -c beckon -n '__beckon_first ${quote(path).replaceAll("'", '"')}'`
    return [
      ...(ids === null ? [] : [`${first} -f -a '(${list(ids)})'`]),
      ...words.map(({ name, about }) => `${first} -f -a ${name}${about === '' ? '' : ` -d ${quote(about)}`}`),
      ...flags.map(flag => `${inside} -l ${flag.name.slice(2)}${fishValue(flag)} -d ${quote(flag.about)}`),
    ]
  })
  return `set -g __beckon_paths ${paths.join(' ')}
function __beckon_path
    set -l path ''
    set -l words (commandline -opc)[2..-1]
    for word in $words
        set -l next (string trim -- "$path $word")
        contains -- $next $__beckon_paths; or break
        set path $next
    end
    echo $path
end
function __beckon_at
    test (__beckon_path)x = "$argv[1]"x
end
function __beckon_first
    set -l path (__beckon_path)
    test "$path" = "$argv[1]"; or return 1
    set -l words (commandline -opc)[2..-1]
    set -l given (string join ' ' -- $words)
    test "$given" = "$path"
end
${lines.join('\n')}
`
}

function fishValue({ takesValue, takesFile, ids, choices }: CompletionFlag): string {
  if (!takesValue) return ''
  if (takesFile) return ' -r -F'
  if (ids !== null) return ` -x -a '(${list(ids)})'`
  return choices.length > 0 ? ` -x -a '${choices.join(' ')}'` : ' -x'
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

/** zsh gives brackets and colons a meaning. */
function plain(text: string): string {
  return text.replaceAll(/[[\]:\\]/g, ' ')
}
