import { unknownText } from '../../interpret/arguments.ts'
import { madeAll } from '../../interpret/made-here.ts'
import type { ProgramCall } from '../../program-call.ts'
import { firstWords } from '../first-words.ts'
import type { GuardRule } from '../rule.ts'
import { composes, dockers } from './programs.ts'

/** Volumes, containers and images. */
export const removingRules: readonly GuardRule[] = [
  {
    id: 'containers/volumes',
    program: dockers,
    sub: [
      'volume rm',
      'volume remove',
      'volume prune',
      'system prune',
      'system reset',
      'machine rm',
      'machine reset',
      'volume update',
    ],
    when: call => !(/^volume (rm|remove)\b/.test(firstWords(call, 2)) && madeAll(call, 'volume', call.after(2))),
    severity: 'critical',
    reason: 'deletes volumes or everything unused, including database files',
    safer: 'docker system df',
    match: [
      'docker volume rm data',
      'docker system prune -af --volumes',
      'sudo podman volume prune -f',
      'docker -H tcp://x volume rm y',
      'podman system reset -f',
    ],
    notMatch: [
      'docker volume create t && docker run -v t:/d alpine && docker volume rm t',
      'docker volume ls',
      'docker volume create x',
      'docker system df',
      'docker builder prune -f',
    ],
  },
  {
    id: 'containers/compose-volumes',
    program: composes,
    oneOf: [
      { sub: 'compose up', any: ['-V', '--renew-anon-volumes'] },
      { sub: ['compose down', 'compose rm'], any: ['-v', '--volumes'] },
      { program: ['docker-compose', 'podman-compose'], sub: 'up', any: ['-V', '--renew-anon-volumes'] },
      { program: ['docker-compose', 'podman-compose'], sub: ['down', 'rm'], any: ['-v', '--volumes'] },
    ],
    severity: 'high',
    reason: "removes the project's volumes with their data",
    safer: 'docker compose down',
    rewrite: { replace: { '-v': '', '--volumes': '', '-V': '', '--renew-anon-volumes': '' } },
    match: [
      'docker compose down -v',
      'docker-compose -f x.yml down --volumes',
      'docker compose -p a down --rmi all -v',
      'docker compose rm -fsv',
    ],
    notMatch: [
      'docker compose down',
      'docker compose run --rm app test -v',
      'docker compose up -d',
      'docker compose exec a ls -v',
    ],
  },
  {
    id: 'containers/remove',
    program: dockers,
    when: call => {
      const words = firstWords(call, 2)
      if (/^(container |pod )?(rm|remove)\b/.test(words)) {
        if (madeAll(call, 'container', call.after(/^(rm|remove)/.test(words) ? 1 : 2))) return false
        return call.has('-f', '--force', '-v', '--volumes') || isEverything(call)
      }
      if (/^(rmi|image (rm|remove))\b/.test(words)) {
        if (madeAll(call, 'image', call.after(/^rmi/.test(words) ? 1 : 2))) return false
        return call.has('-f', '--force') || isEverything(call)
      }
      if (/^(container |pod )?(stop|kill)\b/.test(words)) return isEverything(call)
      if (/^image prune\b/.test(words)) return call.has('-a', '--all')
      return /^(container|network|pod) prune\b/.test(words)
    },
    severity: 'medium',
    reason: 'removes containers or images by force or all at once, with the data written in them',
    safer: 'docker stop web',
    rewrite: { replace: { '-f': '', '--force': '', '-v': '', '--volumes': '' } },
    match: [
      'docker rm -f db',
      'docker run -d --name pg postgres && docker rm -f pg db',
      'docker rm $(docker ps -aq)',
      'docker ps -q | xargs docker stop',
      'docker image prune -af',
      'docker container prune -f',
      'podman rmi -a -f',
    ],
    notMatch: [
      'docker rm web',
      'docker stop web',
      'docker rmi app:old',
      'docker image prune',
      'docker run --rm alpine rm -f x',
      'docker run -d --name pg postgres && docker exec pg pg_isready; docker rm -f pg',
      'id=$(docker create app:dev) && docker cp "$id":/app/dist dist && docker rm -f "$id"',
      'docker build -t app:test . && docker run --rm app:test && docker rmi -f app:test',
      'docker ps -a',
    ],
  },
]

/** Whether it means all containers or images, or ones that are known only at run time. */
function isEverything(call: ProgramCall): boolean {
  return (
    call.has('-a', '--all') ||
    call.frame.via.includes('xargs') ||
    call.operands.some(({ value }) => value === unknownText)
  )
}
