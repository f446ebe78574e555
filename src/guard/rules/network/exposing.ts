import type { GuardRule } from '../rule.ts'

const everyAddress = /^(0\.0\.0\.0|\*|\[?::\]?):/

/** Making this machine reachable from other machines. */
export const exposingRules: readonly GuardRule[] = [
  {
    id: 'network/tunnel',
    program: [
      'ngrok',
      'cloudflared',
      'localtunnel',
      'lt',
      'devtunnel',
      'bore',
      'frpc',
      'frps',
      'chisel',
      'pagekite',
      'pinggy',
      'localxpose',
      'loclx',
      'zrok',
      'inlets',
      'rathole',
      'untun',
      'tunnelmole',
      'tmole',
      'expose',
      'localhost.run',
      'sshuttle',
      'gost',
    ],
    none: ['-v', '-V', '-h'],
    when: call => {
      const [first] = call.operands.map(({ value }) => value)
      if (call.program === 'ngrok')
        return ['http', 'https', 'tcp', 'tls', 'start', 'tunnel', 'service'].includes(first ?? '')
      if (call.program === 'cloudflared') {
        return first === 'tunnel' && !['list', 'info', 'login', 'help'].includes(call.operands[1]?.value ?? '')
      }
      return !['version', 'help', 'list', 'login', 'show', 'status', 'user', 'config'].includes(first ?? '')
    },
    severity: 'high',
    reason: 'exposes something on this machine to the internet',
    match: [
      'ngrok http 3000',
      'cloudflared tunnel --url http://localhost:8080',
      'npx localtunnel --port 8000',
      'chisel client example.com R:80:localhost:80',
    ],
    notMatch: ['ngrok version', 'ngrok config check', 'cloudflared tunnel list', 'cloudflared --version'],
  },
  {
    id: 'network/tailscale',
    program: 'tailscale',
    sub: ['funnel', 'serve', 'up', 'down', 'logout', 'set', 'switch', 'ssh'],
    notWords: /^\S+ (status|reset)( |$)/,
    severity: 'medium',
    reason: 'changes who can reach this machine over the private network, or exposes it to the internet',
    match: ['tailscale funnel 3000', 'tailscale serve --bg 3000', 'sudo tailscale up --ssh'],
    notMatch: ['tailscale status', 'tailscale ip', 'tailscale serve status'],
  },
  {
    id: 'network/editor-tunnel',
    program: ['code', 'code-insiders', 'vscode', 'code-cli', 'cursor'],
    sub: ['tunnel', 'serve-web'],
    severity: 'high',
    reason: 'lets others open this machine in an editor',
    match: ['code tunnel'],
    notMatch: ['code .', 'code --install-extension x'],
  },
  {
    id: 'network/reverse-forward',
    program: ['ssh', 'autossh', 'plink'],
    oneOf: [{ option: { '-R': /^/ } }, { option: { '-D': everyAddress } }, { option: { '-L': everyAddress } }],
    severity: 'high',
    reason: 'opens a connection from another machine to this one',
    match: ['ssh -R 80:localhost:3000 serveo.net', 'ssh -fN -R 2222:localhost:22 me@host', 'ssh -D 0.0.0.0:1080 host'],
    notMatch: ['ssh -L 5432:localhost:5432 bastion', 'ssh -D 1080 host', 'ssh host uptime'],
  },
  {
    id: 'network/share-folder',
    program: ['exportfs', 'sharing', 'net'],
    oneOf: [
      { program: 'exportfs', operandMatches: /^/, none: ['-u', '-v', '-s'] },
      { program: 'sharing', any: ['-a'] },
      { program: 'net', sub: 'usershare add' },
    ],
    severity: 'high',
    reason: 'lets everyone on the network read files outside the workspace',
    match: ["sudo exportfs -o rw '*:/home'", 'net usershare add home /home/me'],
    notMatch: ['exportfs -v', 'sharing -l', 'net usershare list', 'net stop spooler'],
  },
  {
    id: 'network/relay',
    program: 'socat',
    operandMatches: /^(tcp|tcp4|udp|udp4|openssl)-(listen|l):.*bind=0\.0\.0\.0/i,
    severity: 'medium',
    reason: 'forwards what anyone sends to this machine',
    match: ['socat TCP-LISTEN:5432,fork,bind=0.0.0.0 TCP:db:5432'],
    notMatch: ['socat TCP-LISTEN:8080,fork TCP:localhost:80'],
  },
]
