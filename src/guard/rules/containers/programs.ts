/** Docker and the programs that take the same arguments. */
export const dockers = ['docker', 'podman', 'podman-remote', 'nerdctl', 'docker.io', 'finch']
export const composes = ['docker-compose', 'podman-compose', ...dockers]
