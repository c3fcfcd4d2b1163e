import { expect, it } from 'vitest';
import * as surface from '../src/index.ts';

it('exports exactly this', () =>
  expect(Object.keys(surface).sort()).toEqual([
    'MAX_EXPOSED_NAME_CHARS',
    'MAX_GLOB_LENGTH',
    'assignNames',
    'buildCatalog',
    'checkArguments',
    'compileGlob',
    'createEmptySelection',
    'createThesaurus',
    'createUriIndex',
    'createWarningFilter',
    'explainMatches',
    'findWorkflowAvailability',
    'followReference',
    'formatError',
    'formatExposedName',
    'formatSignature',
    'formatWarning',
    'formatWorkflowToolName',
    'hasHiddenCharacters',
    'intersectSelections',
    'listWarningEvents',
    'listWorkflowEvents',
    'prepareSearch',
    'rankTools',
    'removeHiddenCharacters',
    'routeToolCall',
    'searchTools',
    'selectLists',
    'subtractSelection',
    'toPage',
    'toToolInfo',
    'uniteSelections',
  ]));

it('refuses with exactly these words', () => {
  const servers = ['a', 'b'];
  expect([
    surface.formatError({ code: 'filter.pattern-invalid', pattern: 'a"[' }),
    surface.formatError({
      code: 'route.instance-required',
      tool: 'x_k8s_get',
      instanceArg: 'cluster',
      servers,
    }),
    surface.formatError({
      code: 'route.instance-unknown',
      tool: 'x_k8s_get',
      server: 'z"',
      servers,
    }),
    surface.formatError({ code: 'route.no-server', tool: 'core_c' }),
  ]).toEqual([
    'Invalid pattern "a\\"[": syntax error in pattern',
    'tool x_k8s_get is provided by a family on servers a, b; the "cluster" parameter is required',
    'tool x_k8s_get is not available on server "z\\"" (available: a, b)',
    'tool core_c is not served by a server',
  ]);
});

it('warns with exactly these words', () => {
  const servers = ['a', 'b'];
  const tool = { family: 'k8s', tool: 'get', instanceArg: 'cluster', servers };
  const names = { name: 'n', served: { kind: 'server', name: 'a' } } as const;
  const long = { name: 'x_a_n', owner: { kind: 'server', name: 'a' }, servers: ['a'] } as const;
  expect(
    (
      [
        {
          code: 'family.instance-arg-divergence',
          family: 'k8s',
          instanceArgs: ['cluster', 'host'],
          servers: ['a', 'b'],
        },
        { code: 'family.description-divergence', ...tool },
        { code: 'family.schema-divergence', ...tool },
        { code: 'family.instance-arg-collision', ...tool },
        { code: 'tool.name-collision', ...names, dropped: { kind: 'family', name: 'f' }, servers },
        {
          code: 'tool.name-collision',
          ...names,
          dropped: { kind: 'workflow', name: 'w' },
          servers,
        },
        {
          code: 'tool.name-collision',
          ...names,
          dropped: { kind: 'core', name: 'core_c' },
          servers,
        },
        { code: 'prompt.name-collision', ...names, dropped: { kind: 'server', name: 'b' } },
        { code: 'tool.name-refused', finding: 'length', chars: 129, ...long },
        { code: 'tool.name-refused', finding: 'hidden-characters', chars: 5, ...long, more: 2 },
        { code: 'tool.name-long', finding: 'length', chars: 65, ...long },
      ] as const
    ).map(surface.formatWarning),
  ).toEqual([
    'family "k8s" is served per server: its members disagree on instanceArg ("cluster", "host"; servers "a", "b")',
    'tool "get" of family "k8s" is served per server: its members describe it differently (servers "a", "b")',
    'tool "get" of family "k8s" is served per server: its members give it different input schemas (servers "a", "b")',
    'tool "get" of family "k8s" is served per server: it already has an argument "cluster" (servers "a", "b")',
    'tool name "n" has two owners: server "a" serves it, family "f" does not',
    'tool name "n" has two owners: server "a" serves it, workflow "w" does not',
    'tool name "n" has two owners: server "a" serves it, the gateway does not',
    'prompt name "n" has two owners: server "a" serves it, server "b" does not',
    'tool "x_a_n" of server "a" is not served: its name has 129 characters, more than 128',
    'tool "x_a_n" of server "a" is not served: its name has characters that cannot be seen (and 2 more tools)',
    'tool "x_a_n" of server "a" has a name of 65 characters, which some clients do not take',
  ]);
});
