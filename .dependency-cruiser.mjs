import { bundled } from './scripts/bundled.ts'

// Which folder may import which. Everything may import `protocol`. `rules`, `store` and `hub` know nothing of doors or
// channels. Doors and channels take a HubApi, never open a store, and never import each other. Only `cli` and
// `src/index.ts` wire parts together, both by way of `src/open-hub.ts`. The page in `web/` obeys the same rules.
const doorsAndChannels = [
  ...['adapters', 'agent', 'blocks', 'chat', 'client', 'hooks', 'mcp', 'notify', 'server', 'setup'],
  ...['supervisor', 'terminal'],
]

export default {
  forbidden: [
    onlyImports('protocol-is-alone', 'protocol', []),
    onlyImports('text-is-alone', 'text', ['protocol']),
    onlyImports('rules-are-pure', 'rules', ['protocol']),
    onlyImports('form-is-headless', 'form', ['protocol', 'rules', 'text']),
    onlyImports('system-knows-protocol-only', 'system', ['protocol']),
    onlyImports('store-knows-protocol-only', 'store', ['protocol']),
    onlyImports('secrets-know-protocol-only', 'secrets', ['protocol']),
    onlyImports('guard-is-alone', 'guard', ['protocol', 'text']),
    onlyImports('approval-knows-no-doors', 'approval', ['protocol', 'rules', 'guard', 'text', 'system']),
    onlyImports('tool-calls-know-no-doors', 'tool-calls', ['protocol', 'rules', 'guard', 'approval', 'text']),
    onlyImports('adapters-know-the-public-parts', 'adapters', [
      ...['protocol', 'rules', 'approval', 'tool-calls', 'system'],
    ]),
    onlyImports('hub-knows-no-doors', 'hub', ['protocol', 'rules', 'store', 'secrets', 'approval']),
    onlyImports('tracing-knows-no-doors', 'tracing', ['protocol', 'hub', 'store']),
    onlyImports('typed-is-for-every-runtime', 'typed', ['protocol', 'rules']),
    onlyImports('client-runs-in-a-browser', 'client', ['protocol', 'rules', 'typed']),
    ...doorsAndChannels.map(neverImportsItsPeers),
    {
      name: 'page-imports-what-a-browser-can-run',
      severity: 'error',
      from: { path: '^web/' },
      to: { path: '^src/', pathNot: '^src/(protocol|rules|text|form|client)/' },
    },
    ...pageRooms(),
    {
      name: 'browser-code-has-no-node',
      comment: 'No Node built-ins: the web inbox uses these modules too.',
      severity: 'error',
      from: { path: '^src/(protocol|rules|text|form|typed|client)/' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'doors-take-a-hub',
      comment: 'A door or channel is given a HubApi; it opens no store and no hub of its own.',
      severity: 'error',
      from: { path: `^src/(${doorsAndChannels.join('|')})/` },
      to: { path: '^src/(store/|hub/hub[.]ts$|open-hub[.]ts$)' },
    },
    {
      name: 'nothing-imports-the-wiring',
      severity: 'error',
      from: { path: '^(src|web)/', pathNot: '^src/cli/' },
      to: { path: '^src/(cli/|index[.]ts$)' },
    },
    {
      name: 'no-test-code',
      comment: 'What is shipped imports neither tests nor development dependencies.',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^(test|bench|examples|scripts)/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'no-development-dependencies',
      comment: 'But for those that the build bundles.',
      severity: 'error',
      from: { path: '^src/' },
      to: {
        dependencyTypes: ['npm-dev', 'npm-no-pkg'],
        dependencyTypesNot: ['type-only'],
        pathNot: `^node_modules/(${bundled.join('|')})/`,
      },
    },
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    { name: 'resolvable', severity: 'error', from: { path: '^src/' }, to: { couldNotResolve: true } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'require', 'node', 'default'] },
    // TypeScript 7 has no compiler API to parse with; swc reads the same files, type-only imports included.
    parser: 'swc',
  },
}

function onlyImports(name, folder, others) {
  return {
    name,
    severity: 'error',
    from: { path: `^src/${folder}/` },
    to: { path: '^(src|web)/', pathNot: `^src/(${[folder, ...others].join('|')})/` },
  }
}

/**
 * Inside the page: app → pages → features → shared parts → api. A feature imports another one only where it says so here:
 * the three forms share what every request shows, a request shows its run beside it, and the list is where people triage.
 */
function pageRooms() {
  const mayImport = {
    request: ['run'],
    answer: ['request'],
    approval: ['request'],
    review: ['request', 'run'],
    outcome: ['approval'],
    history: [],
    run: [],
    settings: [],
    triage: [],
    list: ['triage'],
    palette: [],
  }
  const features = Object.keys(mayImport)
  const shared = [
    ...['attachments', 'bar', 'browser', 'components', 'earlier', 'keys', 'outbox', 'state', 'text', 'words'],
  ]
  return [
    neverImports(
      'page-api-has-no-user-interface',
      ['api'],
      ['app', 'pages', ...features, ...shared.filter(room => room !== 'words')],
    ),
    neverImports('shared-parts-of-the-page-know-no-features', shared, ['app', 'pages', ...features]),
    neverImports('features-of-the-page-import-no-pages', features, ['app', 'pages']),
    neverImports('pages-do-not-import-the-app', ['pages'], ['app']),
    ...features.map(feature =>
      neverImports(
        `page-${feature}-imports-no-other-feature`,
        [feature],
        features.filter(other => other !== feature && !mayImport[feature].includes(other)),
      ),
    ),
  ]
}

function neverImports(name, rooms, others) {
  return {
    name,
    severity: 'error',
    from: { path: `^web/src/(${rooms.join('|')})/` },
    to: { path: `^web/src/(${others.join('|')})/` },
  }
}

/** The supervisor reads the language of stdout blocks, and a chat puts buttons on the messages of notify: the exceptions. */
function neverImportsItsPeers(folder) {
  const exceptions = { supervisor: 'blocks', chat: 'notify' }
  const peers = doorsAndChannels.filter(peer => peer !== folder && peer !== exceptions[folder])
  return {
    name: `${folder}-imports-no-other-door-or-channel`,
    severity: 'error',
    from: { path: `^src/${folder}/` },
    to: { path: `^src/(${peers.join('|')})/` },
  }
}
