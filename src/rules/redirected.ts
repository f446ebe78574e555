import type { Facts } from '../protocol/facts.ts'
import type { CommandRule } from '../protocol/rule.ts'

/** What begins with some words is allowed in a folder, not wherever a variable leads. */
export function applicableRules<R extends Pick<CommandRule, 'verdict' | 'scope'>>(
  rules: readonly R[],
  facts: Facts | undefined,
): readonly R[] {
  if (facts === undefined || redirectingVariables(facts).length === 0) return rules
  return rules.filter(({ verdict, scope }) => verdict !== 'allow' || scope === 'exact')
}

/**
 * The variables that make a program act elsewhere than in its folder, or load foreign code. A rule for "git push in this
 * folder" says nothing about the repository that GIT_DIR names, so a person decides.
 */
export function redirectingVariables({ programs, environment }: Pick<Facts, 'programs' | 'environment'>): string[] {
  const patterns = [
    loaders,
    ...families.flatMap(([program, names]) => (programs.some(({ name }) => program.test(bare(name))) ? [names] : [])),
  ]
  return environment.map(({ name }) => name).filter(name => patterns.some(pattern => pattern.test(name)))
}

const loaders = /^(LD_PRELOAD|LD_AUDIT|DYLD_INSERT_LIBRARIES)$/

const families: readonly (readonly [program: RegExp, names: RegExp])[] = [
  [
    /^(git|gh|hub|glab)$/,
    /^(GIT_(DIR|WORK_TREE|COMMON_DIR|INDEX_FILE|OBJECT_DIRECTORY|NAMESPACE|CONFIG.*|SSH|SSH_COMMAND|EXEC_PATH|PROXY_COMMAND|EXTERNAL_DIFF)|GH_(REPO|HOST))$/,
  ],
  [/^(kubectl|oc|helm|k9s|kustomize)$/, /^(KUBECONFIG|KUBE_CONTEXT|HELM_KUBE\w*|HELM_NAMESPACE)$/],
  [
    /^(docker|docker-compose|podman)$/,
    /^((DOCKER|CONTAINER)_(HOST|CONTEXT|CONNECTION|CONFIG)|COMPOSE_(FILE|PROJECT_NAME))$/,
  ],
  [
    /^(aws|terraform|tofu|terragrunt|sam|cdk|eksctl|pulumi)$/,
    /^AWS_(PROFILE|ENDPOINT_URL\w*|CONFIG_FILE|SHARED_CREDENTIALS_FILE)$/,
  ],
  [/^(terraform|tofu|terragrunt)$/, /^TF_(CLI_ARGS\w*|WORKSPACE|DATA_DIR|CLI_CONFIG_FILE)$/],
  [/^(gcloud|gsutil|bq)$/, /^CLOUDSDK_/],
  [/^(psql|pg_\w+|createdb|dropdb|vacuumdb)$/, /^PG(HOST|HOSTADDR|PORT|DATABASE|SERVICE|SERVICEFILE|USER|OPTIONS)$/],
  [/^(mysql|mariadb|mysqladmin)$/, /^MYSQL_(HOST|TCP_PORT|UNIX_PORT|HOME)$/],
  [/^redis-cli$/, /^REDISCLI_/],
  [/^vault$/, /^VAULT_(ADDR|NAMESPACE)$/],
]

function bare(name: string): string {
  return name.replace(/^.*\//, '')
}
