import { type Argument, literal } from '../../interpret/arguments.ts'
import { absolute } from '../../paths.ts'
import type { ProgramCall } from '../../program-call.ts'
import { isSecretPath } from '../../secret-paths.ts'
import { list } from '../../word-list.ts'
import type { GuardRule } from '../rule.ts'

/** How file servers name the folder: by an option, or else by the first operand that is a path. */
const folderOptions = list('-d --directory --dir -t -h -r --root --document-root --path -p')
/** Their port may look like a folder. */
const withoutOperand = new Set(list('http.server pyftpdlib php ruby httpd jwebserver caddy twistd webfsd'))

/** Serving files to everyone on the network. */
export const servingRules: readonly GuardRule[] = [
  {
    id: 'network/serve-files',
    program: [
      ...withoutOperand,
      ...list(`serve http-server live-server sirv ws local-web-server static-web-server simple-http-server miniserve darkhttpd dufs gossa goshs
      updog browser-sync ecstatic servor statik-server rclone ftpd smbserver.py impacket-smbserver`),
    ],
    when: call => isServer(call) && !isBoundToThisMachine(call) && servesPrivate(call),
    severity: 'high',
    reason: 'lets everyone on the network read files outside the workspace',
    match: [
      'cd ~ && python3 -m http.server 8000',
      'python3 -m http.server 8080 --bind 0.0.0.0 --directory /home/me',
      'npx serve -l 5000 /',
      'npx http-server ~/Documents',
      'php -S 0.0.0.0:8000 -t $HOME',
      'busybox httpd -f -p 8081 -h /etc',
      'busybox httpd -f -p 0.0.0.0:8080 -h /home/me',
      'caddy file-server --root ~ --listen :8080',
      'rclone serve http ~',
      'ruby -run -e httpd ~ -p 8000',
      'python3 -m pyftpdlib -d ~/.ssh',
    ],
    notMatch: [
      'python3 -m http.server 8000',
      'python3 -m http.server 8000 --directory dist',
      'cd ~ && python3 -m http.server --bind 127.0.0.1',
      'npx serve dist',
      'npx serve -s build -l 3000',
      'php -S localhost:8000 -t public',
      'php -S 0.0.0.0:8000',
      'php artisan serve',
      'cd dist && python3 -m http.server',
    ],
  },
]

function isServer(call: ProgramCall): boolean {
  if (call.program === 'php') return call.args.some(({ value }) => /^-S/.test(value))
  if (call.program === 'ruby') return call.args.some(({ value }) => value === '-run')
  if (call.program === 'caddy') return call.isSub('file-server')
  if (call.program === 'rclone') return call.isSub('serve')
  if (call.program === 'twistd') return call.args.some(({ value }) => /^(web|ftp)$/.test(value))
  return true
}

function isBoundToThisMachine({ args }: ProgramCall): boolean {
  return args.some(({ value }) => /(^|=|-S|\/)(localhost|127(\.\d+){3}|\[?::1\]?)(:|$)/.test(value))
}

function servesPrivate(call: ProgramCall): boolean | Argument {
  const given = folderOf(call)
  const folder = given ?? literal('.', call.frame.span)
  const path = call.path(folder).path
  if (path === null || /^\/(var\/www|srv\/(www|http)|usr\/share)(\/|$)/.test(path)) return false
  const isPrivate =
    ['root', 'home', 'system', 'outside'].includes(call.pathClass(folder)) ||
    isSecretPath(absolute(folder.value, call.cwd) ?? folder.value)
  return isPrivate && (given ?? true)
}

function folderOf({ program, args, operands }: ProgramCall): Argument | undefined {
  // Some name the port by the letter by which others name the folder.
  const isFolder = ({ value }: Argument) => /[/~.]/.test(value) && !/^[\d.]*:\d+$/.test(value)
  const at = args.findIndex(({ value }, i) => {
    const given = args[i + 1]
    return folderOptions.includes(value) && given !== undefined && isFolder(given)
  })
  if (at >= 0) return args[at + 1]
  const glued = args.find(({ value }) => /^(--(directory|dir|root|path|document-root)=|-[dth]\/)/.test(value))
  if (glued) return { ...glued, value: glued.value.replace(/^(--[a-z-]+=|-[dth])/, '') }
  if (withoutOperand.has(program) && program !== 'ruby') return undefined
  return operands.find(({ value }) => /^[/.~]/.test(value))
}
