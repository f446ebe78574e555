import { list } from '../../word-list.ts'
import type { Grammars } from '../rule.ts'
import { terraforms } from './terraform.ts'

export const infrastructureGrammar: Grammars = {
  ...Object.fromEntries(terraforms.map(name => [name, { values: list('-var-file -var -target -out'), words: true }])),
  pulumi: { values: list('-C --cwd -s --stack --config-file --color -m --message -t --target') },
  serverless: { values: list('-s --stage -r --region -c --config -f --function --aws-profile') },
  sls: { values: list('-s --stage -r --region -c --config -f --function --aws-profile') },
  cdk: { values: list('-a --app -c --context --profile --require-approval -o --output') },
  ansible: {
    values: list('-m --module-name -a --args -i --inventory -u --user -l --limit -e --extra-vars -f --forks -t --tree'),
  },
  'ansible-playbook': {
    values: list(
      '-i --inventory -u --user -l --limit -e --extra-vars -f --forks -t --tags --skip-tags --vault-password-file --private-key --start-at-task',
    ),
  },
  nomad: { words: true, values: list('-namespace -address -region') },
  consul: { words: true, values: list('-http-addr -token -datacenter') },
  vault: { words: true, values: list('-address -namespace -field -format -mount') },
  packer: { words: true, values: list('-var -var-file -only') },
  bosh: { values: list('-d --deployment -e --environment') },
  juju: { values: list('-m --model -c --controller') },
  salt: { values: list('-t --timeout -b') },
  fab: { values: list('-H --hosts -i -c') },
  make: { values: list('-C --directory -f --file --makefile -I -o -W') },
  gmake: { values: list('-C --directory -f --file --makefile -I -o -W') },
  just: { values: list('-f --justfile -d --working-directory --set') },
  task: { values: list('-t --taskfile -d --dir') },
}
