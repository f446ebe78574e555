import type { ProgramCall } from '../program-call.ts'
import { list } from '../word-list.ts'
import { type Argument, unknownText } from './arguments.ts'
import { type Stream, streamOf } from './streams.ts'

/** Stands for the id that `docker run -d` or `docker create` prints. */
const ownId = `${unknownText}container`

const containerTools = new Set(['docker', 'podman', 'nerdctl', 'finch', 'docker.io'])
const otherTools = new Set(['createdb', 'kind', 'k3d'])

/**
 * Remembers what this command line itself makes and may therefore remove again: containers, volumes, images, clusters,
 * databases. Returns the output if it is the id of a new container.
 */
export function rememberMade(call: ProgramCall): Stream | null {
  const makesContainers = containerTools.has(call.program)
  if (!makesContainers && !otherTools.has(call.program)) return null
  const { made } = call.frame.scope
  const [first = '', second = '', third = ''] = call.operands.map(({ value }) => value)
  const remember = (kind: MadeKind, names: readonly (string | undefined)[]) => {
    for (const name of names) if (name && !name.startsWith(unknownText)) made.add(`${kind}:${name}`)
  }
  if (call.program === 'createdb') remember('database', [first])
  else if (call.program === 'kind' && call.isSub('create cluster'))
    remember('cluster', [call.value('-n', '--name')?.value ?? 'kind'])
  else if (call.program === 'k3d' && call.isSub('cluster create')) remember('cluster', [third])
  if (!makesContainers) return null
  // From now on, as if the variable were set.
  if (first === 'context' && second === 'use')
    call.frame.scope.set('DOCKER_CONTEXT', { text: third, from: 0, glob: false, list: null })
  const isGroup = first === 'container' || first === 'image'
  const verb = isGroup ? second : first
  if (verb === 'run' || verb === 'create') {
    const isSealed = !call.has(...opensHost)
    remember('container', [call.value('--name')?.value])
    if (isSealed) remember('sealed', [call.value('--name')?.value])
    if (isSealed) made.add(`sealed:${ownId}`)
    else made.delete(`sealed:${ownId}`)
    return verb === 'create' || call.has('-d', '--detach') ? streamOf(ownId) : null
  }
  if (verb === 'build') remember('image', [call.value('-t', '--tag')?.value])
  else if (verb === 'tag') remember('image', [isGroup ? call.operands[3]?.value : third])
  else if (second === 'create' && (first === 'volume' || first === 'network')) remember(first, [third])
  else if (call.isSub('pod create')) remember('container', [call.value('--name')?.value, third])
  return null
}

// With these, a command in the container reaches what is outside it.
const opensHost = list(
  '-v --volume --mount --volumes-from --privileged --network --net --pid --ipc --device --cap-add --userns --link --env-file',
)

/**
 * Whether a command runs in a container that this command line made and that shares nothing with the machine. What is lost
 * there was made a moment ago; only what it says to other machines matters.
 */
export function runsInOwnContainer(call: ProgramCall, command: readonly Argument[]): boolean {
  const { made } = call.frame.scope
  if (made.size === 0 || !containerTools.has(call.program) || call.stdin.from !== 0) return false
  const isOwn = call.operands.slice(1, 3).some(({ value }) => made.has(`sealed:${value}`))
  return isOwn && !command.some(({ value, from }) => from !== 0 || reachesOut.test(value))
}

const reachesOut =
  /:\/\/|@|^(?:-h.*|-H|--host.*|--uri.*|--url.*)$|\s-[hH]\s|\s--host|\b(?:curl|wget|nc|ncat|ssh|scp|rsync|socat|telnet|git|aws|gcloud|az|kubectl)\b|\b\d{1,3}(?:\.\d{1,3}){3}\b|\.(?:com|net|org|io|dev|cloud|internal)\b/

type MadeKind = 'sealed' | 'container' | 'volume' | 'network' | 'image' | 'cluster' | 'database'

/** Whether this command line made each of these; false for none. */
export function madeAll(call: ProgramCall, kind: MadeKind, names: readonly { value: string }[]): boolean {
  const { made } = call.frame.scope
  return (
    names.length > 0 &&
    names.every(({ value }) => made.has(`${kind}:${value}`) || (kind === 'container' && value === ownId))
  )
}
