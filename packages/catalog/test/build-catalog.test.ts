import { fc, test } from './fast-check.ts';
import { describe, expect, it } from 'vitest';
import { buildCatalog, type CatalogInput } from '../src/index.ts';
import { core, inputOf, member, names, server, serverTool, workflow } from './inventories.ts';

describe('the order of the catalog', () => {
  it('is servers by name, families by family and tool, workflows by name, core tools as given', () => {
    const snapshot = buildCatalog(
      inputOf(
        [
          server('zeta', ['b', 'a']),
          server('m1', ['up', 'down'], { family: { name: 'vm', instanceArg: 'host' } }),
          member('a1', ['put', 'get']),
          server('Zulu', ['z']),
        ],
        {
          workflows: [workflow('two'), workflow('one')],
          coreTools: [core('core_z'), core('core_a')],
        },
      ),
    );
    expect(snapshot.tools.map(({ name, position }) => `${position} ${name}`)).toEqual([
      '0 x_Zulu_z',
      '1 x_zeta_b',
      '2 x_zeta_a',
      '3 x_k8s_get',
      '4 x_k8s_put',
      '5 x_vm_down',
      '6 x_vm_up',
      '7 workflow_one',
      '8 workflow_two',
      '9 core_z',
      '10 core_a',
    ]);
  });

  it('lists the resources, templates and prompts of servers by name', () => {
    const offer = (name: string) =>
      server(name, [], {
        resources: [{ uri: `${name}://r` }],
        resourceTemplates: [{ uriTemplate: `${name}://{t}` }],
        prompts: [{ name: 'p' }],
      });
    const snapshot = buildCatalog(inputOf([offer('b'), offer('a')]));
    expect(snapshot.resources.map(({ uri }) => uri)).toEqual(['a://r', 'b://r']);
    expect(snapshot.resourceTemplates).toEqual([
      { uriTemplate: 'a://{t}', server: 'a' },
      { uriTemplate: 'b://{t}', server: 'b' },
    ]);
    expect(names(snapshot.prompts)).toEqual(['x_a_p', 'x_b_p']);
  });
});

describe('a snapshot', () => {
  it('knows the read-only tools, the core tools and the labels of servers', () => {
    const annotations = { readOnlyHint: true };
    const snapshot = buildCatalog(
      inputOf(
        [
          server('s', [serverTool('r', { annotations }), 'w'], { labels: { team: 'a' } }),
          member('m', [], { labels: {} }),
        ],
        { coreTools: [core('core_r', { annotations }), core('core_w')] },
      ),
    );
    expect(names(snapshot.readOnlyTools)).toEqual(['x_s_r', 'core_r']);
    expect(names(snapshot.coreTools)).toEqual(['core_r', 'core_w']);
    expect([...snapshot.serverLabels]).toEqual([
      ['m', {}],
      ['s', { team: 'a' }],
    ]);
  });

  it('shares schemas and leaves unset fields absent', () => {
    const tool = { name: 't', inputSchema: { type: 'object' } };
    const [entry] = buildCatalog(inputOf([server('s', [tool])])).tools;
    expect(entry?.inputSchema).toBe(tool.inputSchema);
    expect(Object.keys(entry ?? {})).toEqual([
      'name',
      'kind',
      'position',
      'server',
      'description',
      'summary',
      'inputSchema',
      'providers',
    ]);
  });

  it('is empty of nothing', () => {
    const snapshot = buildCatalog(inputOf([]));
    expect(snapshot.tools).toEqual([]);
    expect(snapshot.warnings).toEqual([]);
  });
});

describe('two tools of one exposed name', () => {
  const warningsOf = (input: CatalogInput) => buildCatalog(input).warnings;

  it('leaves the name with the first by server name', () => {
    const input = inputOf([server('b', ['t'], { toolPrefix: 'a' }), server('a', ['t', 'u'])]);
    const snapshot = buildCatalog(input);
    expect(snapshot.tools.map(({ name, server: owner }) => [name, owner])).toEqual([
      ['x_a_t', 'a'],
      ['x_a_u', 'a'],
    ]);
    expect(snapshot.toolsOfServer('b')).toEqual([]);
    expect(snapshot.warnings).toEqual([
      {
        code: 'tool.name-collision',
        name: 'x_a_t',
        served: { kind: 'server', name: 'a' },
        dropped: { kind: 'server', name: 'b' },
        servers: ['b'],
      },
    ]);
  });

  it('leaves it with a server before a family, and with the first of a server that lists it twice', () => {
    expect(warningsOf(inputOf([server('k8s', ['t']), member('a', ['t'])]))).toEqual([
      {
        code: 'tool.name-collision',
        name: 'x_k8s_t',
        served: { kind: 'server', name: 'k8s' },
        dropped: { kind: 'family', name: 'k8s' },
        servers: ['a'],
      },
    ]);
    const twice = buildCatalog(inputOf([server('s', ['t', 's_t', 't', 't'])]));
    expect(twice.tools.map(({ providers }) => providers[0]?.serverTool)).toEqual(['t', 's_t']);
    expect(twice.warnings).toHaveLength(2);
    expect(names(buildCatalog(inputOf([member('a', ['t', 't'])])).tools)).toEqual(['x_k8s_t']);
  });

  it('leaves it with the first of two workflows or core tools', () => {
    const rest = { workflows: [workflow('w'), workflow('w')], coreTools: [core('core_c')] };
    expect(warningsOf(inputOf([], rest))).toEqual([
      {
        code: 'tool.name-collision',
        name: 'workflow_w',
        served: { kind: 'workflow', name: 'workflow_w' },
        dropped: { kind: 'workflow', name: 'workflow_w' },
        servers: [],
      },
    ]);
  });

  it('holds for prompts too', () => {
    const prompts = [{ name: 'p' }];
    const input = inputOf([
      server('a', [], { prompts }),
      server('b', [], { prompts, toolPrefix: 'a' }),
    ]);
    expect(buildCatalog(input).prompts.map((one) => one.server)).toEqual(['a']);
    expect(warningsOf(input)).toEqual([
      {
        code: 'prompt.name-collision',
        name: 'x_a_p',
        served: { kind: 'server', name: 'a' },
        dropped: { kind: 'server', name: 'b' },
      },
    ]);
  });

  it('serves the second tool when the first is removed', () => {
    const [first, second] = [server('a', ['t']), server('b', ['t'], { toolPrefix: 'a' })];
    const before = buildCatalog(inputOf([first, second]));
    const after = buildCatalog(inputOf([second]), before);
    expect(after.tool('x_a_t')?.server).toBe('b');
    expect(after.warnings).toEqual([]);
  });
});

describe('a rebuild', () => {
  const [a, b, m, n] = [
    server('a', ['t', 'u']),
    server('b', ['t']),
    member('m', ['t']),
    member('n', ['t']),
  ];
  const rest = { workflows: [workflow('w')], coreTools: [core('core_c')] };
  const before = buildCatalog(inputOf([a, b, m, n], rest));

  it('of the very same objects is the same snapshot', () => {
    expect(buildCatalog(inputOf([n, b, a, m], { ...rest }), before)).toBe(before);
    expect(buildCatalog(inputOf([a, b, m], rest), before)).not.toBe(before);
    expect(buildCatalog(inputOf([a, b, m, n]), before)).not.toBe(before);
  });

  it('shares the tools that keep their places', () => {
    const after = buildCatalog(inputOf([a, server('b', ['t2']), m, n], rest), before);
    expect(after.tools.map((tool) => tool === before.tools[tool.position])).toEqual([
      true,
      true,
      false,
      true,
      true,
      true,
    ]);
    expect(before.tool('x_b_t')).toBeDefined();
    expect(after.tool('x_b_t')).toBeUndefined();
  });

  it('moves what follows a new server, sharing its schemas', () => {
    const after = buildCatalog(inputOf([server('0', ['t']), a, b, m, n], rest), before);
    expect(names(after.tools)).toEqual(['x_0_t', ...names(before.tools)]);
    expect(after.tools.map(({ position }) => position)).toEqual([0, 1, 2, 3, 4, 5, 6]);
    expect(before.tools.map(({ position }) => position)).toEqual([0, 1, 2, 3, 4, 5]);
    expect(after.tool('x_k8s_t')?.inputSchema).toBe(before.tool('x_k8s_t')?.inputSchema);
  });

  it('narrows a family when a member leaves, and follows one that stops to agree', () => {
    const without = buildCatalog(inputOf([a, b, m], rest), before);
    expect(without.tool('x_k8s_t')?.providers).toEqual([{ server: 'm', serverTool: 't' }]);
    const other = member('n', [serverTool('t', { description: 'Other.' })]);
    const apart = buildCatalog(inputOf([a, b, m, other], rest), before);
    expect(names(apart.tools)).toEqual([
      'x_a_t',
      'x_a_u',
      'x_b_t',
      'x_m_t',
      'x_n_t',
      'workflow_w',
      'core_c',
    ]);
    expect(names(buildCatalog(inputOf([a, b, m, n], rest), apart).tools)).toEqual(
      names(before.tools),
    );
  });
});

describe('every catalog', () => {
  const name = fc.constantFrom('a', 'b', 'a_b', 'k8s', '__proto__', 'toString');
  const family = fc.record({
    name: fc.constantFrom('k8s', 'a'),
    instanceArg: fc.constantFrom('cluster', 'host'),
  });
  const tool = fc.record({
    name,
    description: fc.constantFrom('One.', 'One.', 'Two.'),
    inputSchema: fc.constantFrom({ type: 'object' }, { properties: { host: {} } }),
  });
  const servers = fc.uniqueArray(
    fc
      .record({ name, tools: fc.array(tool, { maxLength: 4 }), family: fc.option(family) })
      .map((one) => server(one.name, one.tools, one.family === null ? {} : { family: one.family })),
    { selector: (one) => one.name, maxLength: 5 },
  );

  test('has unique names, at positions that are their indexes', servers, (given) => {
    const { tools } = buildCatalog(inputOf(given));
    expect(new Set(names(tools)).size).toBe(tools.length);
    expect(tools.map(({ position }) => position)).toEqual(tools.map((_, index) => index));
  });

  test('is the same for every order of its servers', servers, (given) =>
    expect(buildCatalog(inputOf(given.toReversed())).tools).toEqual(
      buildCatalog(inputOf(given)).tools,
    ),
  );

  test('offers exactly the providers as instances of a family tool', servers, (given) => {
    for (const one of buildCatalog(inputOf(given)).tools) {
      if (one.instanceArg === undefined) continue;
      const properties = one.inputSchema['properties'] as Record<string, { enum: string[] }>;
      const providers = one.providers.map((provider) => provider.server);
      expect(properties[one.instanceArg]?.enum).toEqual(providers);
      const { serverTool: toolName } = one.providers[0]!;
      const members = given.filter(
        ({ family: its, tools }) => its?.name === one.server && names(tools).includes(toolName),
      );
      expect(providers).toEqual([...names(members)].sort());
    }
  });

  test('is the same built anew and built from any other', fc.tuple(servers, servers), ([x, y]) => {
    const kept = [...y.slice(0, 2), ...x.filter((one) => !names(y.slice(0, 2)).includes(one.name))];
    const anew = buildCatalog(inputOf(kept));
    const fromOther = buildCatalog(inputOf(kept), buildCatalog(inputOf(x)));
    expect(fromOther.tools).toEqual(anew.tools);
    expect(fromOther.warnings).toEqual(anew.warnings);
  });
});
