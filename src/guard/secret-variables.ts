import { list } from './word-list.ts'

/**
 * Whether a machine may get the value of a variable: `own` is the one that it is for (GITHUB_TOKEN and api.github.com), `foreign` is
 * certainly another, `unknown` if the name does not tell (TOKEN, ACME_KEY).
 */
export type Ownership = 'own' | 'foreign' | 'unknown'

/** Whether a variable is named like a key, a token or a password. */
export function isSecretVariable(name: string): boolean {
  if (name.length > mostCharacters) return false
  const words = wordsOf(name)
  while (words.length > 1 && environments.has(words.at(-1) ?? '')) words.pop()
  const last = words.at(-1) ?? ''
  if (/(TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|APIKEY|CREDENTIALS?|SSHPASS)$/.test(last)) return true
  if (/^(PAT|CREDS?|JWT|DSN|PASS|TOK|PW)$/.test(last)) return true
  const before = words.at(-2)
  if (before === undefined) return false
  if (last === 'KEY') return !publicKeys.has(before)
  if (last === 'BASE') return before === 'KEY'
  return last === 'PWD' || (/^UR[IL]$/.test(last) && databases.has(before))
}

/** Whose secret the variable holds, judged by its name and the name of the machine that would get it. */
export function ownershipOf(name: string, host: string): Ownership {
  const words = wordsOf(name)
  if (isNeverSent(words)) return 'foreign'
  const labels = host.toLowerCase().replace(/\.$/, '').split('.')
  const domain = domainOf(labels)
  let known = false
  for (const word of words) {
    const names = vendors.get(word)
    if (!names) continue
    known = true
    if (names.includes(domain)) return 'own'
    // A server of one's own: gitlab.acme.com, but not gitlab.com.acme.net.
    if (selfHosted.has(word) && !names.some(vendor => isPosing(labels, vendor))) {
      return labels.some(label => names.some(vendor => label.includes(vendor))) ? 'own' : 'unknown'
    }
  }
  if (known) return 'foreign'
  const brands = words.filter(word => word.length > 2 && !plainWords.has(word))
  return brands.some(brand => labels.some(label => label.includes(brand.toLowerCase()))) ? 'own' : 'unknown'
}

const mostCharacters = 128

function wordsOf(name: string): string[] {
  return name
    .toUpperCase()
    .replace(/\d+$/, '')
    .split('_')
    .filter(word => word !== '')
}

/** What signs, encrypts or opens a database is not for the web at all. */
function isNeverSent(words: readonly string[]): boolean {
  const last = words.at(-1) ?? ''
  if (/^(PGPASSWORD|SSHPASS)$/.test(last)) return true
  if (words.some(word => databases.has(word)) && /^(PASS|PASSWORD|PASSWD|PWD|URL|URI|DSN)$/.test(last)) return true
  return words.some(word => keysOfOnesOwn.has(word)) && /^(SECRET|KEY|BASE|PASSPHRASE)$/.test(last)
}

/** The name that was registered: `github` of `api.github.com`, `acme` of `www.acme.co.uk`. */
function domainOf(labels: readonly string[]): string {
  const isCountry = (labels.at(-1)?.length ?? 0) === 2 && /^(co|com|org|net|gov|edu|ac)$/.test(labels.at(-2) ?? '')
  return labels.at(isCountry ? -3 : -2) ?? ''
}

function isPosing(labels: readonly string[], vendor: string): boolean {
  const at = labels.indexOf(vendor)
  return at >= 0 && at < labels.length - 2 && /^(com|org|io|net|dev|co)$/.test(labels[at + 1] ?? '')
}

const environments = new Set(list('PROD PRODUCTION STAGING DEV TEST LIVE QA RO RW READ WRITE'))
const databases = new Set(
  list('DB DATABASE PG POSTGRES POSTGRESQL MYSQL MARIADB MONGO MONGODB REDIS AMQP RABBITMQ SQL'),
)
const keysOfOnesOwn = new Set(
  list(
    'JWT SESSION SIGNING ENCRYPTION ENCRYPT CRYPTO COOKIE HMAC PRIVATE SSH GPG PGP SUDO BASE RAILS DJANGO FLASK NEXTAUTH',
  ),
)
/** Keys that anyone may see, or that are only names. */
const publicKeys = new Set(
  list(
    'PUBLIC PUBLISHABLE ANON CACHE PRIMARY FOREIGN SORT PARTITION OBJECT BUCKET ISSUE PROJECT TICKET ROUTING IDEMPOTENCY HOST MAP HOT FILE S3 STORAGE CONFIG REGISTRY DATA TRANSLATION GROUP SITE',
  ),
)
/** Words that do not tell whose secret it is. */
const plainWords = new Set(
  list(
    'API ACCESS SECRET KEY TOKEN AUTH BEARER PAT PERSONAL PASSWORD PASSWD PASS USER ADMIN BOT APP CLIENT SERVICE ACCOUNT PROD PRODUCTION STAGING DEV TEST LIVE READ WRITE REFRESH DEPLOY NEXT PUBLIC VITE REACT NEW OLD CURRENT DEFAULT LOCAL REMOTE HTTP HTTPS BASIC LOGIN ROOT CREDENTIALS JWT URL URI DSN SESSION APIKEY TOK CREDS COM ORG NET',
  ),
)

/** Services by the words that variables use for them, with the names that they registered; the word itself always counts. */
const vendors: ReadonlyMap<string, readonly string[]> = new Map(
  list(`ADYEN AIRTABLE ALCHEMY ALGOLIA=algolia,algolianet AMPLITUDE ANTHROPIC=anthropic,claude ARGOCD ARTIFACTORY=jfrog ASANA ATLASSIAN AUTH0
  AWS=amazonaws,amazon AZURE=azure,windows,microsoft,microsoftonline,visualstudio,azurecr BINANCE BITBUCKET=bitbucket,atlassian BUGSNAG
  BUILDKITE CARGO=crates CF=cloudflare CIRCLE=circleci CIRCLECI CLAUDE=anthropic,claude CLERK CLOUDFLARE CLOUDINARY CODECOV COHERE COINBASE
  CONFLUENCE=atlassian CONSUL CRATES DATADOG=datadoghq,datadog,ddog DD=datadoghq,datadog,ddog DEEPSEEK DIGITALOCEAN DISCORD=discord,discordapp
  DO=digitalocean DOCKER DOCKERHUB=docker DOPPLER DROPBOX=dropbox,dropboxapi ELEVENLABS ETHERSCAN FACEBOOK FB=facebook FASTLY FIGMA
  FIREBASE=googleapis,firebaseio,google,firebase FLY=fly,machines GCLOUD=googleapis,google GCP=googleapis,google GEMINI=googleapis,google GEM=rubygems
  GH=github,githubusercontent,ghcr GHCR=github,ghcr GITEA GITHUB=github,githubusercontent,ghcr,githubcopilot GITLAB GL=gitlab GOOGLE=googleapis,google
  GRAFANA GROQ HARBOR HEROKU HETZNER HF=huggingface,hf HUBSPOT=hubspot,hubapi HUGGINGFACE=huggingface,hf INFURA INSTAGRAM=facebook INTERCOM JENKINS
  JFROG JIRA=atlassian KAGGLE KEYCLOAK LAUNCHDARKLY LINEAR LINODE MAILCHIMP=mandrillapp MAILGUN MAPBOX MATTERMOST MISTRAL MIXPANEL NETLIFY NEXUS NGROK
  NOMAD NOTION NPM=npmjs,github NUGET OKTA=oktapreview OPENAI=openai,azure OPENROUTER PAGERDUTY PAYPAL PERPLEXITY PINECONE PLAID PLANETSCALE POSTHOG
  POSTMAN=getpostman,postman PULUMI PYPI RAILWAY RANCHER RENDER REPLICATE RUBYGEMS SALESFORCE=salesforce,force SENDGRID SENTRY
  SHOPIFY=shopify,myshopify SLACK SNYK SONAR=sonarcloud,sonarqube SONARQUBE SPOTIFY SQUARE=squareup STRIPE SUPABASE TAILSCALE TELEGRAM
  TG=telegram TFE=terraform TRAVIS=travis-ci,travis TRELLO TWILIO TWITCH TWITTER=twitter,x VAULT VERCEL VULTR WANDB ZENDESK`).map(
    entry => {
      const [word = '', names = ''] = entry.split('=')
      return [word, [...names.split(',').filter(name => name !== ''), word.toLowerCase()]] as const
    },
  ),
)

const selfHosted = new Set(
  list(
    'ARGOCD ARTIFACTORY BITBUCKET CONFLUENCE CONSUL GITEA GITLAB GRAFANA HARBOR JENKINS JFROG JIRA KEYCLOAK MATTERMOST NEXUS NOMAD POSTHOG RANCHER SENTRY SONAR SONARQUBE VAULT',
  ),
)
