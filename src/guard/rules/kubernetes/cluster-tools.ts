import { madeAll } from '../../interpret/made-here.ts'
import { list } from '../../word-list.ts'
import type { GuardRule } from '../rule.ts'

const uninstallers = list('k3s-uninstall.sh k3s-agent-uninstall.sh rke2-uninstall.sh k3s-killall.sh')
const localClusters = list('kind minikube k3d vcluster')
const clusterManagers = list(
  'eksctl kops kubeadm microk8s talosctl rancher rke k0s k0sctl clusterctl gardenctl istioctl velero cilium',
)

/** Tools around a cluster: charts, delivery, and cluster creation. */
export const clusterToolRules: readonly GuardRule[] = [
  {
    id: 'kubernetes/helm',
    program: ['helm', 'helm3', 'helmfile', 'helmsman', 'werf'],
    none: ['--dry-run', '-h'],
    words:
      /^(install|upgrade|uninstall|delete|del|un|rollback|push|apply|sync|destroy|converge|dismiss|registry push|release)\b/,
    unless: { option: { '--kube-context': /^(kind-|k3d-|minikube|docker-desktop)/ } },
    severity: 'high',
    reason: 'installs, changes or removes a release in a cluster, or publishes a chart',
    safer: 'helm upgrade api ./chart --dry-run',
    rewrite: { program: ['helm', 'helm3'], sub: ['install', 'upgrade', 'uninstall', 'rollback'], append: '--dry-run' },
    match: [
      'helm uninstall api',
      'helm -n prod upgrade --install api ./c',
      'helm --kube-context p delete api',
      'helmfile -e prod apply',
      'helm upgrade --version 1.2.3 a b/c',
    ],
    notMatch: [
      'helm list',
      'helm template ./c',
      'helm upgrade a ./c --dry-run',
      'helm repo add b u',
      'helm diff upgrade a ./c',
      'helmfile diff',
    ],
  },
  {
    id: 'kubernetes/delivery',
    program: ['argocd', 'flux', 'kubectl-argo-rollouts', 'argo', 'tkn', 'skaffold', 'devspace', 'garden', 'okteto'],
    oneOf: [
      { program: 'skaffold', words: /^(run|deploy|delete|apply)\b/ },
      { program: ['devspace', 'garden', 'okteto'], words: /^(deploy|purge|delete|destroy|down|cleanup)\b/ },
      {
        program: 'argocd',
        words:
          /^(app|cluster|proj|repo|repocreds|appset|account|cert|gpg|admin)\s+(delete|delete-resource|sync|set|unset|rollback|create|rm|add|patch|patch-resource|terminate-op|edit|actions run|add-\S+|remove-\S+|update-password|bcrypt|import|rotate-auth|confirm-deletion)\b/,
      },
      {
        program: ['flux', 'kubectl-argo-rollouts', 'argo', 'tkn'],
        words:
          /^(delete|suspend|resume|reconcile|create|bootstrap|uninstall|install|push|submit|stop|terminate|retry|resubmit|promote|abort|undo|restart|set|\w+ (delete|start|cancel))\b/,
      },
    ],
    none: ['--export'],
    severity: 'high',
    reason: 'changes what is delivered to a cluster',
    match: [
      'argocd app delete api',
      'argocd app sync api --prune',
      'flux uninstall',
      'flux delete ks apps',
      'skaffold run',
    ],
    notMatch: [
      'argocd app list',
      'argocd app diff a',
      'flux get all',
      'flux diff kustomization a',
      'skaffold dev',
      'flux create source git a --export',
    ],
  },
  {
    id: 'kubernetes/cluster',
    program: [...uninstallers, ...localClusters, ...clusterManagers],
    none: ['-h'],
    oneOf: [
      { program: uninstallers },
      { program: localClusters, words: /(^|\s)(delete|rm)\b/ },
      {
        program: clusterManagers,
        words:
          /(^|\s)(delete|reset|destroy|uninstall|remove|rm|init|join|create|apply|upgrade|update|install|scale|drain|restore|disable|move|replace|set|reboot|shutdown|rollback|up|leave|certs rotate)\b/,
        notWords:
          /^(get|describe|completion|version|config|proxy-|analyze|backup (get|describe|logs|create|download)|restore (get|describe|logs)|schedule (get|describe)|kubeconfig|token list|images?|dashboard|operator dump|verify|status)\b/,
      },
    ],
    when: call =>
      !madeAll(
        call,
        'cluster',
        call.program === 'kind' ? [call.value('-n', '--name') ?? { value: 'kind' }] : call.after(2),
      ),
    severity: 'critical',
    reason: 'creates, changes or deletes a whole cluster with everything stored in it',
    match: [
      'kind delete cluster',
      'minikube delete',
      'eksctl delete cluster --name p',
      'kubeadm reset -f',
      'kops delete cluster --yes',
      'istioctl uninstall --purge',
    ],
    notMatch: [
      'kind create cluster --name t && kubectl get nodes && kind delete cluster --name t',
      'kind create cluster',
      'minikube start',
      'k3d cluster list',
      'eksctl get cluster',
      'velero backup get',
      'istioctl analyze',
    ],
  },
]
