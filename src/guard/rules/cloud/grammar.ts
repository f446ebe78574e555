import type { Grammar } from '../../parse-args.ts'
import { list } from '../../word-list.ts'
import type { Grammars } from '../rule.ts'

const aws: Grammar = {
  values: list(
    `--profile --region --output --endpoint-url --query --ca-bundle --cli-read-timeout --cli-connect-timeout --color --cli-binary-format
    --exclude --include --acl --storage-class --sse --sse-kms-key-id --cache-control --content-type --grants --metadata --expires-in
    --page-size --source-region --filters --filter`,
  ),
}

const gcloud: Grammar = {
  values: list(
    `--project --account --configuration --format --filter --zone --region --verbosity --impersonate-service-account --flags-file --limit
    --sort-by --page-size --location --instance --cluster --command --secret --member --role --image --key --keyring --source-ranges --allow
    --machine-type --tag --iam-account --type --runtime --database --billing-project --zones --regions --namespace --service`,
  ),
}
const az: Grammar = {
  values: list(
    '-g --resource-group -n --name -o --output --query --subscription -l --location --ids -s -c --account-name --vault-name -f --file --template-file --tags -u -p --method --uri --url',
  ),
}

const app = '-a --app -r --remote --confirm'
const fly: Grammar = { values: list('-a --app -c --config -o --org -t --access-token') }

export const cloudGrammar: Grammars = {
  aws,
  gcloud,
  az,
  gsutil: { values: list('-o -h -u'), before: list('-o -h') },
  s3cmd: { values: list('-c --config --access_key --secret_key --region --host') },
  rclone: {
    values: list(
      '--config --transfers --checkers --bwlimit --include --exclude --filter --log-file --log-level --max-age',
    ),
  },
  mc: { values: list('--config-dir -C') },
  heroku: { values: list(`${app} -c --command -s --size`), ends: { run: 2 } },
  fly,
  flyctl: fly,
  vercel: { values: list('-t --token -S --scope -A --local-config -b --build-env -e --env --cwd -m --meta') },
  netlify: { values: list('--site -s --dir -d --auth --filter -m --message --alias') },
  wrangler: { values: list('-c --config -e --env --command --file --binding --namespace-id --outdir --name') },
  firebase: { values: list('-P --project --token --only --except --config -m') },
  railway: { values: list('-s --service -e --environment -p --project'), ends: { run: 1 } },
  eas: { values: list('-p --platform --profile -e --message') },
  stripe: { values: list('--api-key --project-name --forward-to -d -e --events --name --charge') },
  cf: { values: list('-f -p -i -m -b -s') },
  kamal: { values: list('-d --destination -c --config-file -r --roles -h --hosts') },
  doctl: { values: list('-t --access-token -c --config --context -o --output') },
  oci: { values: list('--profile --config-file -c --compartment-id --instance-id --bucket-name') },
  'linode-cli': {},
}
