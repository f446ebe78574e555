import { type Facts, factLimits } from '../protocol/facts.ts'
import { limits } from '../protocol/limits.ts'
import type { Hmac } from './facts/hmac.ts'
import { isSecretVariable } from './facts/secret-values.ts'

type Variable = Facts['environment'][number]

/** The variables that steer a command: those that steer programs, those that it names, and the further ones that are given. */
export function steeringVariables(
  env: NodeJS.ProcessEnv,
  command: string,
  hmac: Hmac,
  further: readonly string[] = [],
): Variable[] {
  const named = new Set([...namedVariables(command), ...further])
  return Object.entries(env)
    .flatMap(([name, value]): Variable[] => {
      if (
        value === undefined ||
        !isValidName(name) ||
        isStartupVariable(name) ||
        !(isSteering(name) || named.has(name))
      )
        return []
      return [isPlain(name, value) ? { name, value } : { name, hmac: hmac(name, value) }]
    })
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

/** Whether a variable decides what is loaded into a program, which code it runs, or where it acts. */
export function isSteering(name: string): boolean {
  return steeringNames.has(name) || steeringPrefixes.test(name)
}

/** Bash would read a file of the asker's choice, or take functions for programs, before the command that was shown. */
export function isStartupVariable(name: string): boolean {
  return /^(BASH_ENV|ENV|SHELLOPTS|BASHOPTS|BASH_FUNC_.*)$/s.test(name)
}

export function withoutStartupFiles(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !isStartupVariable(name)))
}

function isValidName(name: string): boolean {
  return name.trim() !== '' && name.length <= limits.label && name.isWellFormed()
}

/** Text that can be neither stored nor shown as it is, or is too long for that, is bound like a secret. */
function isPlain(name: string, value: string): boolean {
  return value.length <= factLimits.value && value.isWellFormed() && !isSecretVariable(name, value)
}

function namedVariables(command: string): string[] {
  return [...command.matchAll(/\$\{?[!#]?(\w+)/g)].map(([, name = '']) => name)
}

// The terminal, locale, temporary folders and sessions (SSH_AUTH_SOCK) are left out: they differ between two shells of
// the same person. PATH is replaced by the programs that it leads to.
const steeringNames = new Set(
  `HOME SHELL PS4 PROMPT_COMMAND ZDOTDIR CDPATH GLOBIGNORE IFS POSIXLY_CORRECT XDG_CONFIG_HOME XDG_CONFIG_DIRS XDG_DATA_HOME
  EDITOR VISUAL FCEDIT PAGER MANPAGER BROWSER LESS LESSOPEN LESSCLOSE SSH_ASKPASS SSH_ASKPASS_REQUIRE SUDO_ASKPASS SUDO_EDITOR
  CLASSPATH _JAVA_OPTIONS CC CXX CPP LD AR AS FC CFLAGS CXXFLAGS CPPFLAGS LDFLAGS CPATH LIBRARY_PATH PKG_CONFIG_PATH
  VIRTUAL_ENV PSQLRC INPUTRC WGETRC CURL_HOME GNUPGHOME RAILS_ENV RACK_ENV APP_ENV DJANGO_SETTINGS_MODULE
  http_proxy https_proxy all_proxy no_proxy ftp_proxy HTTP_PROXY HTTPS_PROXY ALL_PROXY NO_PROXY FTP_PROXY REQUESTS_CA_BUNDLE
  HOSTALIASES LOCALDOMAIN RES_OPTIONS GCONV_PATH MALLOC_CONF GLIBC_TUNABLES TAR_OPTIONS GREP_OPTIONS ZIPOPT UNZIP XDEBUG_CONFIG`.split(
    /\s+/,
  ),
)

// Families of variables, by the programs that they steer.
const steeringPrefixes = new RegExp(
  `^(${[
    // loaders, shells and their helpers
    'LD_|DYLD_|RSYNC_|SSL_|OPENSSL_|CURL_|KRB5|GPG_|SOPS_|AGE_',
    // version control and its hosts
    'GIT_|GH_|GITHUB_(TOKEN|REPOSITORY|API_URL|SERVER_URL)$|GITLAB_|GLAB_|HG|SVN_|BITBUCKET_',
    // languages and what installs their packages
    'PYTHON|PYENV_|PIP_|PIPENV_|POETRY_|UV_|CONDA_|PYTEST_|TOX_|NOX_|DJANGO_|FLASK_|ALEMBIC_',
    'NODE_|NPM_|YARN_|PNPM_|BUN_|DENO_|TS_NODE_|NVM_|VOLTA_|COREPACK_|PRISMA_|ESBUILD_',
    'RUBY|GEM_|BUNDLE_|RBENV_|RAKE|PERL|PHP|COMPOSER_|LUA_|JULIA_|R_',
    'JAVA|JDK_|MAVEN_|MVN_|GRADLE_|SBT_|KOTLIN_|DOTNET_|NUGET_|MSBUILD|CARGO_|RUST|GO(?!OGLE)[A-Z0-9]*$|CGO_|SWIFT_|ZIG_',
    'MAKE|GNUMAKE|CMAKE_|NINJA_|MESON_|BAZEL_|CCACHE_|ASDF_|MISE_|DIRENV_|NIX_',
    // clouds, clusters, containers, infrastructure
    'AWS_|AMAZON_|GOOGLE_|GCLOUD_|GCP_|CLOUDSDK_|AZURE_|ARM_|DIGITALOCEAN_|LINODE_|HCLOUD_|CLOUDFLARE_|CF_|HEROKU_|VERCEL_',
    'NETLIFY_|FLY_|RAILWAY_|FIREBASE_|SUPABASE_|STRIPE_|SENTRY_|OCI_|ALICLOUD_|OS_',
    'KUBE|HELM_|K9S_|ARGOCD_|FLUX_|ISTIO|DOCKER_|COMPOSE_|BUILDKIT_|BUILDX_|PODMAN_|CONTAINERS?_|REGISTRY_',
    'TF_|TERRAFORM_|TERRAGRUNT_|TOFU_|PULUMI_|ANSIBLE_|VAULT_|CONSUL_|NOMAD_|PACKER_|VAGRANT_|CHEF_|PUPPET_',
    // databases and queues
    'PG|POSTGRES_|MYSQL_|MARIADB_|REDIS|VALKEY|MONGO|SQLITE_|CLICKHOUSE_|SNOWFLAKE_|DATABASE_|DB_|ELASTIC|KAFKA_|RABBITMQ_',
  ].join('|')})|^[nN][pP][mM]_[cC]`,
)
