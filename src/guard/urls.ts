import { type Argument, unknownText } from './interpret/arguments.ts'

const localHost =
  /^(localhost|127(\.\d+){3}|0\.0\.0\.0|\[?::1?\]?|host\.docker\.internal|host\.minikube\.internal|kubernetes\.docker\.internal|.*\.(localhost|local|test|internal|lan|home\.arpa))$/i

/** Whether an address may be on another machine; an unknown address may be. */
export function mayBeRemote(arg: Pick<Argument, 'value'>): boolean {
  const host = hostOf(arg.value)
  return host === null || !isLocalHost(host)
}

/** Whether an address is certainly on another machine. */
export function isRemote(arg: Pick<Argument, 'value'>): boolean {
  const host = hostOf(arg.value)
  // 0.0.0.0/0 means every address.
  return host !== null && (!isLocalHost(host) || /^\d[\d.]*\/\d+$/.test(arg.value))
}

/** The machine that an address certainly leads to, in a list of one; none if it is this machine, a neighbour or unknown. */
export function remoteHost({ value }: Pick<Argument, 'value'>): string[] {
  const host = hostIn(value)
  // The beginning may be computed: `$(whoami).example.net`.
  const known = host.slice(host.lastIndexOf(unknownText) + 1)
  const name = known === host ? host : known.includes('.') ? known.slice(known.indexOf('.') + 1) : ''
  return name === '' || name.length > 255 || isLocalHost(name) || (known !== host && !name.includes('.')) ? [] : [name]
}

/** Elasticsearch, CouchDB, Solr, InfluxDB, Qdrant and others: deleting there loses data, even on this machine. */
export function isDatastoreUrl(arg: Pick<Argument, 'value'>): boolean {
  return /^(https?:\/\/)?[^/]+:(9200|5984|8983|8086|6333|8529|7474|9000|2379)(\/|$)/.test(arg.value)
}

/** The machine calls itself what users depend on: `prod-1.example.com`. */
export function isProduction(host: string): boolean {
  return /^(?:[^:/]*[.-])?(?:prod|production|prd|live)\d*(?:[.:-]|$)/i.test(host)
}

/** A name without a dot is a container or a machine on the local network. */
function isLocalHost(host: string): boolean {
  return localHost.test(host) || !/[.:]/.test(host)
}

function hostOf(url: string): string | null {
  const host = hostIn(url)
  return host === '' || host.includes(unknownText) ? null : host
}

function hostIn(url: string): string {
  if (url.startsWith(':')) return 'localhost'
  return /^(?:[a-z][a-z0-9+.-]*:\/\/)?(?:[^@/]*@)?(\[[^\]]*\]|[^/:?#]*)/i.exec(url)?.[1] ?? ''
}
