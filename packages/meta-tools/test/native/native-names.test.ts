import { buildCatalog, type CatalogInput } from '@gateway/catalog';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { callOf, inputOf, listOf, listNames, nativeHarness, serverOf } from './native-harness.ts';

const toolNames = (...servers: CatalogInput['servers']) =>
  listNames(nativeHarness({ input: inputOf(...servers) }), 'tools/list');

describe('a native name', () => {
  it("is the server's own while it is the only one", () => {
    expect(toolNames(serverOf('a', ['read']), serverOf('b', ['write']))).toEqual(['read', 'write']);
  });

  it('is the exposed one for all servers that share a name', () => {
    expect(toolNames(serverOf('a', ['read', 'one']), serverOf('b', ['read']))).toEqual([
      'x_a_read',
      'one',
      'x_b_read',
    ]);
  });

  it.each(['x_b_read', 'x_c_later', 'workflow_deploy', 'core_service_stop'])(
    'is never one that looks like the own names of the gateway: %s',
    (name) => {
      expect(toolNames(serverOf('a', [name]), serverOf('b', ['read']))).toEqual([
        `x_a_${name}`,
        'read',
      ]);
    },
  );

  it('is one of a tool that the catalog serves, for any prefixes of names', () => {
    const tricky = serverOf('a', ['x_b_t', 't'], { toolPrefix: 'b' });
    expect(toolNames(tricky, serverOf('b', ['t', 'b_t']))).toEqual(['x_b_x_b_t', 't', 'b_t']);
  });

  it('calls the tool that it names, and so does the exposed one', async () => {
    const harness = nativeHarness();
    for (const name of ['search', 'x_wiki_search']) await callOf(harness, 'tools/call', { name });
    const call = { server: 'wiki', tool: 'search', arguments: {} };
    expect(harness.calls.map((one) => one.call)).toEqual([call, call]);
  });
});

const word = fc.constantFrom(
  ...[
    'a',
    'b',
    't',
    'x',
    'x_a',
    'x_a_t',
    'x_b_t',
    'a_t',
    'core_x',
    'workflow_w',
    '__proto__',
    '🦊',
  ],
);
const offers = fc.uniqueArray(
  fc.record({
    name: fc.constantFrom('a', 'b', 'c', 'x', 'a_b'),
    prefix: fc.option(word, { nil: '' }),
    tools: fc.uniqueArray(word, { maxLength: 6 }),
    prompts: fc.uniqueArray(word, { maxLength: 3 }),
    resources: fc.uniqueArray(fc.constantFrom('r', 's', 'x_a_r', 'a://r', 'b://r'), {
      maxLength: 3,
    }),
    isMember: fc.boolean(),
  }),
  { selector: ({ name }) => name, maxLength: 5 },
);

const catalogs = offers.map((servers) =>
  buildCatalog({
    servers: servers.map(({ name, prefix, tools, prompts, resources, isMember }) =>
      serverOf(name, tools, {
        toolPrefix: prefix,
        ...(isMember && { family: { name: 'fam', instanceArg: 'which' } }),
        prompts: prompts.map((prompt) => ({ name: prompt })),
        resources: resources.map((uri) => ({ uri })),
      }),
    ),
    workflows: [{ name: 'w', description: '', inputSchema: { type: 'object' } }],
    coreTools: [
      { name: 'core_x', description: '', inputSchema: { type: 'object' }, annotations: {} },
    ],
  }),
);

describe('any names of servers', () => {
  it('native names are unique, and each calls the very tool that is listed', async () => {
    await fc.assert(
      fc.asyncProperty(catalogs, async (snapshot) => {
        const harness = nativeHarness({ snapshotOf: () => snapshot });
        const served = snapshot.tools.filter(({ kind }) => kind !== 'core');
        const entries = listOf(harness, 'tools/list');
        expect(new Set(entries.map(({ name }) => name)).size).toBe(served.length);
        for (const [index, tool] of served.entries()) {
          for (const name of [String(entries[index]?.['name']), tool.name]) {
            harness.calls.length = 0;
            const args = { which: tool.providers[0]?.server };
            expect(await callOf(harness, 'tools/call', { name, arguments: args })).toMatchObject({
              ok: true,
            });
            const [{ call } = { call: undefined }] = harness.calls;
            const [provider] = tool.providers;
            expect(call).toMatchObject(
              provider === undefined
                ? { name: tool.name }
                : { server: provider.server, tool: provider.serverTool },
            );
          }
        }
      }),
      { numRuns: 150 },
    );
  });

  it('prompts and resources are unique, and each reaches its own server', async () => {
    await fc.assert(
      fc.asyncProperty(catalogs, async (snapshot) => {
        const harness = nativeHarness({ snapshotOf: () => snapshot });
        const prompts = listNames(harness, 'prompts/list');
        expect(new Set(prompts).size).toBe(snapshot.prompts.length);
        for (const [index, { server, serverPrompt }] of snapshot.prompts.entries()) {
          harness.calls.length = 0;
          await callOf(harness, 'prompts/get', { name: prompts[index] });
          expect(harness.calls[0]?.call).toMatchObject({ server, prompt: serverPrompt });
        }
        const uris = listNames(harness, 'resources/list');
        expect(new Set(uris).size).toBe(uris.length);
        for (const uri of uris) {
          harness.calls.length = 0;
          await callOf(harness, 'resources/read', { uri });
          expect(harness.calls).toHaveLength(1);
        }
      }),
      { numRuns: 150 },
    );
  });

  it('a toolset restricts all lists: to its selection, in the order and under the names of the whole lists', () => {
    const selector = fc.constantFrom(
      ...['server:a', 'server:b', 'server:fam', 'preset:none', 'tool:x_a_t'],
    );
    const lists = [
      ...(['tools/list', 'resources/list', 'resources/templates/list', 'prompts/list'] as const),
    ];
    fc.assert(
      fc.property(
        catalogs,
        fc.array(selector, { minLength: 1, maxLength: 3 }),
        (snapshot, list) => {
          const harness = nativeHarness({ snapshotOf: () => snapshot });
          const header = list.join(',');
          for (const method of lists) {
            const all = listNames(harness, method);
            const some = listNames(harness, method, header);
            // Of two servers with one URI the visible one stands for it, at its own place.
            const inOrder = method === 'resources/list' ? some.toSorted() : some;
            const narrowed = all.filter((name) => some.includes(name));
            expect(inOrder).toEqual(method === 'resources/list' ? narrowed.toSorted() : narrowed);
          }
          const empty = listNames(harness, 'tools/list', header).length === 0;
          if (empty)
            for (const method of lists) expect(listNames(harness, method, header)).toEqual([]);
        },
      ),
      { numRuns: 150 },
    );
  });
});
