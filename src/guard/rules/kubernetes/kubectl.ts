import type { Condition } from '../condition.ts'
import type { GuardRule } from '../rule.ts'

export const kubectlPrograms = ['kubectl', 'k', 'oc', 'kubecolor', 'kubectl.docker', 'microk8s.kubectl']

/** The command names a cluster on this machine. */
const isLocal: Condition = {
  option: {
    '--context':
      /^(kind-.*|minikube|docker-desktop|docker-for-desktop|k3d-.*|rancher-desktop|colima.*|orbstack|microk8s)$/,
  },
}
const dryRuns = ['--dry-run', '--server-dry-run']

const readOnly =
  /^(get|describe|logs?|top|port-forward|proxy|explain|api-resources|api-versions|cluster-info|version|config|auth|diff|wait|exec|attach|cp|debug|kustomize|completion|plugin|krew|events|options|help|ctx|ns|neat|tree|stern|whoami|who-can|view-secret|status|login|logout|project|projects|rsh|rsync|observe|image|registry|options|adm (top|inspect|must-gather|node-logs|release)|rollout (status|history)|set --help|ktop|score|images|blame|df-pv|lineage|outdated|resource-capacity|sniff|argo rollouts (get|list|status|version|dashboard)|cert-manager (status|check)|alpha)\b/

export const kubectlRules: readonly GuardRule[] = [
  {
    id: 'kubernetes/delete',
    program: kubectlPrograms,
    none: dryRuns,
    words: /^(delete|drain|adm drain|adm prune)\b/,
    unless: isLocal,
    severity: 'critical',
    reason: 'deletes objects of a cluster, possibly with their data',
    safer: 'kubectl delete deployment web --dry-run=server',
    rewrite: { words: /^(delete|drain|adm drain)\b/, append: '--dry-run=server' },
    match: [
      'kubectl delete ns prod',
      'kubectl -n prod delete deploy api',
      'KUBECONFIG=x kubectl --context prod delete pvc --all',
      'kubectl delete -f k8s/',
      'kubectl drain n1 --ignore-daemonsets',
      'kubectl get pods -o name | xargs kubectl delete',
      'microk8s kubectl delete ns x',
    ],
    notMatch: [
      'kubectl get pods -l app=delete',
      'kubectl auth can-i delete pods',
      'kubectl delete pod x --dry-run=client',
      'kubectl --context kind-dev delete pod x',
      'kubectl help delete',
    ],
  },
  {
    id: 'kubernetes/change',
    program: kubectlPrograms,
    none: dryRuns,
    words: /^(?!(delete|drain)\b)./,
    notWords: readOnly,
    unless: isLocal,
    severity: 'high',
    reason: 'changes what runs in a cluster',
    safer: 'kubectl diff -f k8s/',
    rewrite: {
      words: /^(apply|create|patch|replace|scale|autoscale|expose|run|set|label|annotate|rollout undo)\b/,
      append: '--dry-run=server',
    },
    match: [
      'kubectl apply -f x.yaml',
      'cat x | kubectl apply -f -',
      'kubectl scale deploy api --replicas=0',
      'kubectl rollout restart deploy/api',
      'kubectl set image deploy/a a=b',
      'kubectl patch deploy a -p {}',
      'oc new-app nginx',
    ],
    notMatch: [
      'kubectl get pods',
      'kubectl rollout status deploy/a',
      'kubectl apply --dry-run=client -f x',
      'kubectl port-forward svc/a 80',
      'kubectl --context minikube apply -f x',
      'kubectl exec -it p -- sh',
      'kubectl -n prod logs a',
    ],
  },
  {
    id: 'kubernetes/secret',
    program: kubectlPrograms,
    oneOf: [
      { sub: 'config view', any: ['--raw'] },
      { words: /^(view-secret|extract secret)/ },
      {
        words: /^get (\S*,)?secrets?\b/,
        option: { '-o --output': /^(yaml|json|jsonpath|go-template|custom-columns)/ },
      },
    ],
    severity: 'high',
    reason: 'prints secrets of a cluster',
    safer: 'kubectl get secrets',
    match: [
      'kubectl get secret db -o yaml',
      "kubectl -n x get secrets db -o jsonpath='{.data}'",
      'kubectl config view --raw',
    ],
    notMatch: ['kubectl get secrets', 'kubectl describe secret x', 'kubectl get cm x -o yaml', 'kubectl config view'],
  },
  {
    id: 'kubernetes/inside',
    program: kubectlPrograms,
    oneOf: [
      { words: /^(config (delete|unset|rename)|debug node\/)/ },
      { sub: ['cp', 'rsync'], lastOperand: /^[^./:][^:]*:/ },
      { sub: ['proxy', 'port-forward'], option: { '--address': /0\.0\.0\.0|^::|\*/ } },
    ],
    severity: 'medium',
    reason: 'changes a running container or node, exposes the cluster, or removes its connection settings',
    match: [
      'kubectl cp ./x pod:/app/x',
      'kubectl debug node/n1 -it --image=busybox',
      'kubectl proxy --address=0.0.0.0',
      'kubectl config delete-context prod',
    ],
    notMatch: ['kubectl cp pod:/app/x ./x', 'kubectl proxy', 'kubectl config use-context dev'],
  },
]
