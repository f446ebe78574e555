import type { Grammar } from '../../parse-args.ts'
import { list } from '../../word-list.ts'
import type { Grammars } from '../rule.ts'
import { kubectlPrograms } from './kubectl.ts'

const kubectl: Grammar = {
  values: list(
    `-n --namespace --context --kubeconfig --cluster --user -s --server -c --container -f --filename -k --kustomize --as --as-group
    --request-timeout -l --selector -o --output --field-selector --sort-by -p --patch --type --image --replicas --timeout --grace-period
    --for --raw --token --address --accept-hosts --tail --since --port --target-port --max --min --from-literal --from-file --template -L
    --certificate-authority --client-key --client-certificate --tls-server-name -v --overrides --restart --env --accept-paths --cascade`,
  ),
}

export const kubernetesGrammar: Grammars = {
  kind: { values: list('-n --name --config --image --kubeconfig --wait') },
  k3d: { values: list('-s --servers -a --agents -p --port -v --volume --image -c --config --network') },
  ...Object.fromEntries(kubectlPrograms.map(name => [name, kubectl])),
  helm: {
    values: list(
      '-n --namespace --kube-context --kubeconfig -f --values --set --set-string --set-file --version --timeout --repo',
    ),
  },
  helm3: { values: list('-n --namespace --kube-context --kubeconfig -f --values --set --version') },
  helmfile: { values: list('-e --environment -f --file -n --namespace -l --selector --kube-context') },
  argocd: { values: list('--server --auth-token --grpc-web-root-path --config --revision -o') },
  flux: { values: list('-n --namespace --context --kubeconfig --timeout') },
  argo: { values: list('-n --namespace --context') },
  eksctl: { values: list('--profile --region -f --config-file --cluster --name') },
  kops: { values: list('--name --state') },
  minikube: { values: list('-p --profile') },
  istioctl: { values: list('--set -f -n --context') },
  velero: { values: list('-n --namespace') },
  talosctl: { values: list('-n --nodes -e --endpoints --talosconfig --context') },
}
