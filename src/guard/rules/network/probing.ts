import { isRemote } from '../../urls.ts'
import { list } from '../../word-list.ts'
import type { GuardRule } from '../rule.ts'

/** Scanning, attacking and eavesdropping. */
export const probingRules: readonly GuardRule[] = [
  {
    id: 'network/scan',
    program: [
      'nmap',
      'masscan',
      'zmap',
      'rustscan',
      'naabu',
      'unicornscan',
      'nikto',
      'sqlmap',
      'wpscan',
      'gobuster',
      'ffuf',
      'dirb',
      'nuclei',
      'hping3',
      'hping',
      'nping',
      't50',
      'slowhttptest',
      'slowloris',
    ],
    when: call => call.args.find(arg => !arg.value.startsWith('-') && isRemote(arg) && /[./]/.test(arg.value)) ?? false,
    severity: 'medium',
    reason: 'scans machines for weaknesses, which is an attack if they are not yours',
    match: [
      'nmap -sS 10.0.0.0/8',
      'nmap -A scanme.example.com',
      'sqlmap -u https://example.com/?id=1',
      'hping3 -S --flood -p 80 198.51.100.2',
    ],
    notMatch: ['nmap localhost', 'nmap --version', 'nmap -p 3000 127.0.0.1'],
  },
  {
    id: 'network/load',
    program: list(
      'ab wrk wrk2 hey siege vegeta bombardier oha autocannon k6 locust artillery drill cassowary plow rewrk loadtest h2load boom tsung fortio ddosify httperf',
    ),
    when: call => call.args.find(({ value }) => namesMachine(value)) ?? false,
    severity: 'medium',
    reason: 'sends so many requests to another machine that it may stop working',
    match: [
      'ab -n 5000000 -c 2000 https://www.example.com/',
      'wrk -t12 -c400 -d30s https://example.com',
      'npx autocannon -c 500 https://api.example.com',
      'locust --headless -u 10000 --host https://example.com',
    ],
    notMatch: ['ab -n 100 http://localhost:3000/', 'wrk -d10s http://127.0.0.1:8080', 'k6 run load.js', 'hey -h'],
  },
  {
    id: 'network/break-in',
    program: [
      'hydra',
      'medusa',
      'ncrack',
      'john',
      'hashcat',
      'aircrack-ng',
      'msfconsole',
      'msfvenom',
      'responder',
      'crackmapexec',
      'patator',
      'mimikatz',
      'unshadow',
    ],
    none: ['-h', '-V'],
    severity: 'high',
    reason: 'cracks passwords or breaks into machines',
    match: ['hydra -l root -P words.txt ssh://10.0.0.1', 'john hashes.txt'],
    notMatch: ['hashcat --version'],
  },
  {
    id: 'network/listen-in',
    program: [
      'tcpdump',
      'tshark',
      'dumpcap',
      'wireshark',
      'ettercap',
      'arpspoof',
      'bettercap',
      'mitmproxy',
      'mitmdump',
      'dsniff',
      'ngrep',
    ],
    none: ['-r', '-D', '-h', '--list-interfaces', '-v'],
    severity: 'medium',
    reason: 'captures network traffic, including passwords',
    match: ['tcpdump -i eth0 -w out.pcap', 'tshark -i any', 'arpspoof -i eth0 -t 10.0.0.2 10.0.0.1'],
    notMatch: ['tcpdump -r out.pcap', 'tshark -r out.pcap', 'tcpdump --version'],
  },
]

/** A whole address of another machine, alone or behind `=`: `-H header` and `run load.js` are none. */
function namesMachine(word: string): boolean {
  const url = /^(?:--?[\w-]+=)?(https?:\/\/.+)$/i.exec(word)?.[1]
  return url !== undefined && isRemote({ value: url })
}
