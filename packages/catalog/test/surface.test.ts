import { expect, it } from 'vitest';
import * as surface from '../src/index.ts';

it('exports exactly this', () =>
  expect(Object.keys(surface).sort()).toEqual([
    'MAX_GLOB_LENGTH',
    'buildCatalog',
    'catalogWarningText',
    'compileGlob',
    'differenceOf',
    'emptySelection',
    'exposedName',
    'filterErrorText',
    'fullSelection',
    'intersectionOf',
    'pageOf',
    'prepareSearch',
    'rankTools',
    'resourceTemplatesOfUri',
    'routeErrorText',
    'routeToolCall',
    'searchTools',
    'selectLists',
    'selectTools',
    'toolInfo',
    'unionOf',
    'warningsOnce',
    'workflowAvailability',
    'workflowToolName',
  ]));

it('refuses with exactly these words', () => {
  const servers = ['a', 'b'];
  expect([
    surface.filterErrorText({ code: 'filter.pattern-invalid', pattern: 'a"[' }),
    surface.routeErrorText({
      code: 'route.instance-required',
      tool: 'x_k8s_get',
      instanceArg: 'cluster',
      servers,
    }),
    surface.routeErrorText({
      code: 'route.instance-unknown',
      tool: 'x_k8s_get',
      server: 'z"',
      servers,
    }),
    surface.routeErrorText({ code: 'route.no-server', tool: 'core_c' }),
  ]).toEqual([
    'Invalid pattern "a\\"[": syntax error in pattern',
    'tool x_k8s_get is provided by a family on servers a, b; the "cluster" parameter is required',
    'tool x_k8s_get is not available on server "z\\"" (available: a, b)',
    'tool core_c is not served by a server',
  ]);
});

it('warns with exactly these words', () => {
  const tool = { family: 'k8s', tool: 'get', instanceArg: 'cluster', servers: ['a', 'b'] };
  const names = { name: 'n', kept: { kind: 'server', name: 'a' } } as const;
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
        { code: 'tool.name-collision', ...names, dropped: { kind: 'family', name: 'f' } },
        { code: 'tool.name-collision', ...names, dropped: { kind: 'workflow', name: 'w' } },
        { code: 'tool.name-collision', ...names, dropped: { kind: 'core', name: 'core_c' } },
        { code: 'prompt.name-collision', ...names, dropped: { kind: 'server', name: 'b' } },
      ] as const
    ).map(surface.catalogWarningText),
  ).toEqual([
    'family "k8s" is served per server: its members disagree on instanceArg ("cluster", "host"; servers "a", "b")',
    'tool "get" of family "k8s" is served per server: its members describe it differently (servers "a", "b")',
    'tool "get" of family "k8s" is served per server: its members give it different input schemas (servers "a", "b")',
    'tool "get" of family "k8s" is served per server: it already has an argument "cluster" (servers "a", "b")',
    'tool name "n" is taken: server "a" keeps it, the one of family "f" is not served',
    'tool name "n" is taken: server "a" keeps it, the one of workflow "w" is not served',
    'tool name "n" is taken: server "a" keeps it, the one of the gateway is not served',
    'prompt name "n" is taken: server "a" keeps it, the one of server "b" is not served',
  ]);
});
