import { list } from '../word-list.ts'

// To these programs, arguments are only text: a pattern, a message, a name. They start nothing.
const consumers = new Set(
  list(`echo printf print cat less more head tail tac nl wc ls ll dir tree exa eza stat file grep egrep fgrep rg ag ack zgrep ugrep sort uniq cut
  paste join comm tr rev fold fmt column expand diff colordiff cmp sdiff delta bat jq yq xq fx gron mlr csvcut awk-doc man info whatis apropos tldr
  help which whereis type hash true false test [ : sleep seq yes date cal uptime whoami id groups hostname uname arch nproc df du free ps top
  htop pgrep lsof ss netstat basename dirname realpath readlink pwd md5sum sha1sum sha256sum shasum cksum b2sum strings od xxd hexdump
  notify-send say osascript-say figlet cowsay logger wall write banner toilet lolcat gum dialog whiptail zenity bc dc expr let factor
  code subl vim vi nvim nano emacs open xdg-open pbcopy xclip xsel wl-copy clip touch mkdir apt-cache apropos pydoc ri cheat howdoi explain
  tokei cloc scc wc jest vitest mocha pytest ava tap rspec phpunit ctest cucumber behave playwright cypress eslint prettier biome tsc gh glab
  write-host write-output get-help get-command get-childitem select-string fzf sk test-path tput stty clear reset history fc dirs jobs
  gnuplot bind complete compgen getopts printenv locale getconf getent tty who w last lastlog`),
)

export function isTextConsumer(program: string): boolean {
  return consumers.has(program)
}
