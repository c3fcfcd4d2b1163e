/**
 * Who may import whom. The table repeats the drawing of ADR 0002 and is the only place where it is data:
 * a dependency that is not listed here fails `pnpm check`. Widening a line needs an ADR.
 */
export const may = {
  // L0
  'packages/toolset-grammar': [],
  'packages/call-contract': [],
  'packages/go-template': ['packages/call-contract'],
  'packages/crd-schemas': ['packages/go-template'],
  'packages/events': [],
  'packages/durable-files': [],
  'packages/kube-client': [],
  'packages/process-link': [],
  'packages/service-host': [],
  // L1
  'packages/catalog': ['packages/call-contract', 'packages/crd-schemas', 'packages/events'],
  'packages/workflow-engine': [
    'packages/call-contract',
    'packages/crd-schemas',
    'packages/events',
    'packages/go-template',
  ],
  'packages/agent-manager-client': ['packages/call-contract', 'packages/toolset-grammar'],
  'packages/mcp-http': ['packages/call-contract'],
  // L2
  'packages/preset-resolver': ['packages/catalog', 'packages/toolset-grammar'],
  'packages/meta-tools': [
    'packages/call-contract',
    'packages/catalog',
    'packages/preset-resolver',
    'packages/toolset-grammar',
  ],
  'packages/resource-store': [
    'packages/crd-schemas',
    'packages/durable-files',
    'packages/events',
    'packages/kube-client',
  ],
  'packages/downstream': [
    'packages/call-contract',
    'packages/catalog',
    'packages/crd-schemas',
    'packages/events',
    'packages/process-link',
  ],
  'packages/downstream-auth': ['packages/crd-schemas'],
  'packages/caller-auth': [],
  'packages/gateway-config': [
    'packages/crd-schemas',
    'packages/downstream',
    'packages/durable-files',
    'packages/events',
    'packages/mcp-http',
    'packages/preset-resolver',
    'packages/resource-store',
    'packages/workflow-engine',
  ],
  'packages/agent-releases': ['packages/agent-manager-client'],
  'packages/release-store': [
    'packages/agent-manager-client',
    'packages/agent-releases',
    'packages/durable-files',
    'packages/kube-client',
  ],
  // L3
  'packages/core-tools': [
    'packages/call-contract',
    'packages/catalog',
    'packages/crd-schemas',
    'packages/events',
    'packages/workflow-engine',
  ],
  'packages/agent-manager-cli': ['packages/agent-manager-service', 'packages/service-host'],
  'packages/agent-manager-service': [
    'packages/agent-manager-client',
    'packages/agent-releases',
    'packages/call-contract',
    'packages/mcp-http',
    'packages/service-host',
  ],
  'packages/gateway-runtime': [
    'packages/call-contract',
    'packages/catalog',
    'packages/core-tools',
    'packages/crd-schemas',
    'packages/downstream',
    'packages/durable-files',
    'packages/events',
    'packages/gateway-config',
    'packages/mcp-http',
    'packages/meta-tools',
    'packages/preset-resolver',
    'packages/process-link',
    'packages/resource-store',
    'packages/service-host',
    'packages/toolset-grammar',
    'packages/workflow-engine',
  ],
  'packages/gateway-cli': [
    'packages/service-host',
    'packages/core-tools',
    'packages/crd-schemas',
    'packages/gateway-config',
    'packages/meta-tools',
    'packages/resource-store',
  ],
  // L4: composition roots
  'apps/gateway': [
    'packages/crd-schemas',
    'packages/downstream',
    'packages/durable-files',
    'packages/events',
    'packages/gateway-cli',
    'packages/gateway-config',
    'packages/gateway-runtime',
    'packages/mcp-http',
    'packages/process-link',
    'packages/resource-store',
    'packages/service-host',
    'packages/toolset-grammar',
  ],
  'apps/agent-manager': [
    'packages/agent-manager-cli',
    'packages/agent-manager-client',
    'packages/agent-manager-service',
    'packages/agent-releases',
    'packages/call-contract',
    'packages/mcp-http',
    'packages/release-store',
    'packages/service-host',
    'packages/toolset-grammar',
  ],
  // Development only
  'packages/conformance': [],
  'packages/repo-checks': [],
  'packages/test-cluster': [],
  'packages/charts': [
    'packages/agent-manager-client',
    'packages/agent-releases',
    'packages/crd-schemas',
    'packages/gateway-config',
    'packages/preset-resolver',
    'packages/toolset-grammar',
  ],
};

/**
 * The folders in the sources of a package, in order: a folder imports only from folders before it. Files directly in `src` may
 * import from every folder.
 */
export const folders = {
  'packages/agent-manager-cli': ['options', 'commands'],
  'packages/agent-manager-client': [
    'refusals',
    'toolset',
    'names',
    'schemas',
    'operations',
    'arguments',
    'requests',
    'client',
    'openapi',
    'reference',
  ],
  'packages/agent-manager-service': ['operations', 'page', 'rest', 'mcp', 'metrics'],
  'packages/agent-releases': [
    'store',
    'values',
    'chart',
    'compose',
    'read',
    'status',
    'update',
    'delete',
    'service',
  ],
  'packages/core-tools': ['arguments', 'secrets', 'tool', 'workflows', 'events', 'servers'],
  'packages/crd-schemas': [
    'documents',
    'resource',
    'fields',
    'rules',
    'workflow',
    'mcp-server',
    'schema',
    'crd',
  ],
  'packages/downstream': [
    'wire',
    'requests',
    'lists',
    'connection',
    'detect',
    'supervision',
    'hub',
  ],
  'packages/durable-files': [
    'watching',
    'failures',
    'reading',
    'writing',
    'yaml',
    'yaml-thread',
    'yaml-edits',
    'locks',
    'state',
  ],
  'packages/gateway-cli': ['arguments', 'client', 'completion', 'output', 'actions', 'commands'],
  'packages/gateway-runtime': [
    'metrics',
    'audit',
    'services',
    'isolation',
    'workflows',
    'http',
    'local',
    'workers',
  ],
  'packages/go-template': [
    'syntax',
    'values',
    'navigation',
    'value-templates',
    'functions',
    'rendering',
  ],
  'packages/kube-client': ['objects', 'connection', 'reads', 'writes', 'informer'],
  'packages/mcp-http': [
    'protocol',
    'admission',
    'wire',
    'changes',
    'peers',
    'sessions',
    'calls',
    'callers',
    'http',
    'stdio',
  ],
  'packages/meta-tools': [
    'contract',
    'arguments',
    'scope',
    'definition',
    'prompts',
    'resources',
    'tools',
    'native',
  ],
  'packages/release-store': ['skills', 'results', 'directory', 'kubernetes'],
  'packages/resource-store': ['port', 'events', 'files'],
  'packages/workflow-engine': [
    'json',
    'model',
    'paths',
    'arguments',
    'expectations',
    'isolation',
    'documents',
    'records',
    'run',
    'engine',
  ],
};

/** Packages without side effects: no sockets, no files, no process. */
export const pure = [
  'toolset-grammar',
  'preset-resolver',
  'catalog',
  'events',
  'workflow-engine',
  'meta-tools',
  'agent-manager-client',
  'agent-releases',
  'call-contract',
  'go-template',
];

const JUNK = '/(utils?|helpers?|common|misc|shared|managers?)(/|[.][cm]?[jt]sx?$)';
const JUNK_REASON = 'A file is named after the one idea that it holds; find the noun.';

const inside = (folder) => `^${folder}/`;

const layers = Object.entries(may).flatMap(([from, to]) => [
  {
    name: `layer:${from}`,
    severity: 'error',
    comment: `${from} may import only: ${to.join(', ') || 'no package of this repository'} (ADR 0002).`,
    from: { path: `^${from}/src/` },
    to: { path: '^(packages|apps)/', pathNot: [from, ...to].map(inside) },
  },
  {
    name: `layer-of-tests:${from}`,
    severity: 'error',
    comment: `Tests and settings of ${from} may import the same packages as its sources, repo-checks and test-cluster.`,
    from: { path: inside(from), pathNot: `^${from}/src/` },
    to: {
      path: '^(packages|apps)/',
      pathNot: [from, ...to, 'packages/repo-checks', 'packages/test-cluster'].map(inside),
    },
  },
]);

/** One rule for each folder that has folders after it. */
const folderOrder = Object.entries(folders).flatMap(([from, order]) =>
  order.slice(0, -1).map((folder, at) => ({
    name: `folders:${from}`,
    severity: 'error',
    comment: `The folders of ${from} import only from folders before them: ${order.join(', ')}.`,
    from: { path: `^${from}/src/${folder}/` },
    to: { path: `^${from}/src/(${order.slice(at + 1).join('|')})/` },
  })),
);

export default {
  forbidden: [
    ...layers,
    ...folderOrder,
    ...['packages', 'apps'].map((kind) => ({
      name: `known-${kind}`,
      severity: 'error',
      comment: 'Add a new package to the layer table. The change requires an ADR.',
      from: {
        path: `^${kind}/`,
        pathNot: Object.keys(may).map(inside),
      },
      to: {},
    })),
    {
      name: 'no-cycle',
      severity: 'error',
      comment:
        'Files must not import each other. Merge them, or move the common part to a third file. Type-only cycles count.',
      from: {},
      to: { circular: true },
    },
    {
      name: 'public-entry-only',
      severity: 'error',
      comment: 'A package is imported by its name, through `index.ts`; published vectors are data.',
      from: { path: '^(?:packages|apps)/([^/]+)/' },
      to: {
        path: '^(packages|apps)/',
        pathNot: [
          '^(packages|apps)/$1/',
          '^packages/[^/]+/src/index[.]ts$',
          '^packages/[^/]+/vectors/',
          '^packages/repo-checks/(eslint[.]config[.]base|tsup[.](config|program))[.]js$',
        ],
      },
    },
    {
      name: 'pure-core',
      severity: 'error',
      comment: 'A pure package takes the clock, the file and the socket as parameters.',
      from: { path: `^packages/(${pure.join('|')})/src/` },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'no-dependency',
      severity: 'error',
      comment: 'toolset-grammar has no dependencies: it runs in browsers and in the charts.',
      from: { path: '^packages/toolset-grammar/src/' },
      to: { pathNot: '^packages/toolset-grammar/src/' },
    },
    {
      name: 'no-development-dependency',
      severity: 'error',
      comment:
        'Packages run without development dependencies; the bundle of a program includes its libraries.',
      from: { path: '^packages/[^/]+/src/', pathNot: '^packages/repo-checks/' },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'no-unresolvable',
      severity: 'error',
      comment: 'Declare the dependency in the package that imports it.',
      from: { pathNot: '/(bench|example)/' },
      to: { couldNotResolve: true },
    },
    {
      name: 'no-junk-drawer:imported',
      severity: 'error',
      comment: JUNK_REASON,
      from: {},
      to: { path: JUNK, pathNot: 'node_modules/' },
    },
    {
      name: 'no-junk-drawer:importing',
      severity: 'error',
      comment: JUNK_REASON,
      from: { path: JUNK },
      to: {},
    },
    {
      name: 'no-junk-drawer:alone',
      severity: 'error',
      comment: JUNK_REASON,
      from: { orphan: true, path: JUNK },
      to: {},
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)(dist|coverage|fixtures)/' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      // Files do not change during a run, so no file is read twice.
      cachedInputFileSystem: { cacheDuration: 1_800_000 },
      exportsFields: ['exports'],
      conditionNames: ['@gateway/source', 'types', 'import', 'node', 'default'],
    },
  },
};
