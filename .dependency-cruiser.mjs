// Which folder may know which. Everything may import `protocol`; `core` and `store` know nothing of doors or channels;
// doors and channels take a HubApi; only `cli` and `src/index.ts` wire parts together, both
// by way of `src/open-hub.ts`.
const doorsAndChannels = '^src/(?!protocol/|core/|store/|secrets/|cli/|(index|open-hub)[.]ts$)'

export default {
  forbidden: [
    onlyImports('protocol-is-alone', 'protocol', []),
    onlyImports('store-knows-protocol-only', 'store', ['protocol']),
    onlyImports('secrets-know-protocol-only', 'secrets', ['protocol']),
    onlyImports('core-knows-no-doors', 'core', ['protocol', 'store', 'secrets']),
    {
      name: 'protocol-runs-in-a-browser',
      comment: 'No Node built-ins: the web inbox uses these modules too.',
      severity: 'error',
      from: { path: '^src/protocol/' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'doors-take-a-hub',
      comment: 'A door or channel is given a HubApi; it opens no store and no hub of its own.',
      severity: 'error',
      from: { path: doorsAndChannels },
      to: { path: '^src/(store/|core/hub)' },
    },
    {
      name: 'nothing-imports-the-wiring',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/cli/' },
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
      severity: 'error',
      from: { path: '^src/' },
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg'], dependencyTypesNot: ['type-only'] },
    },
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    { name: 'resolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
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
