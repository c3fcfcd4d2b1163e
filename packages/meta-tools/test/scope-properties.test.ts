import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { requirement } from './requirement.ts';
import { snapshot, under } from './harness.ts';

const SELECTORS = [
  ...['read-only', 'none', 'full', 'team', 'storage', 'ghosts'].map((name) => `preset:${name}`),
  ...['files', 'wiki', 'k8s', 'dev', 'nowhere'].map((name) => `server:${name}`),
  ...['deploy', 'report'].map((name) => `workflow:${name}`),
  ...['x_files_write_file', 'x_k8s_pods', 'core_service_list'].map((name) => `tool:${name}`),
  ...['workflow_deploy', 'nothing'].map((name) => `tool:${name}`),
];

const toolset = fc.array(fc.constantFrom(...SELECTORS), { minLength: 1, maxLength: 5 });

const toolsUnder = (header?: readonly string[], args: object = {}): Promise<readonly unknown[]> =>
  under(header).tools({ ...args, limit: 100 });

requirement('1.2/third-filter', () => {
  it('returns under header H with argument A the tools that both H and A select, for every H and A', async () => {
    await fc.assert(
      fc.asyncProperty(toolset, toolset, async (header, argument) => {
        const ofHeader = await toolsUnder(header);
        const ofArgument = await toolsUnder(undefined, { toolset: argument });
        const ofBoth = await toolsUnder(header, { toolset: argument });
        expect(ofBoth).toEqual(ofHeader.filter((name) => ofArgument.includes(name)));
      }),
      { numRuns: 150 },
    );
  });

  it("adds nothing to the caller's catalog, for every H", async () => {
    const all = await toolsUnder();
    await fc.assert(
      fc.asyncProperty(toolset, async (header) => {
        const names = await toolsUnder(header);
        expect(names).toEqual(all.filter((name) => names.includes(name)));
      }),
      { numRuns: 50 },
    );
  });
});

describe('a toolset', () => {
  it('means the same to all meta-tools: the tools of list_tools can be described and called, no other can', async () => {
    const all = await toolsUnder();
    await fc.assert(
      fc.asyncProperty(
        toolset,
        fc.constantFrom(...(all as readonly string[])),
        async (header, name) => {
          const { tools, result, call } = under(header);
          const isError = (await tools({}, 'list_tools')).includes(name) ? undefined : true;
          expect((await result('describe_tool', { name }))['isError']).toBe(isError);
          expect((await call(name, { cluster: 'dev', namespace: 'n', path: 'a' }))['isError']).toBe(
            isError,
          );
        },
      ),
      { numRuns: 100 },
    );
  });

  it('is never seen by another request of the session, however they interleave', async () => {
    const request = fc.record({
      header: fc.option(toolset, { nil: undefined }),
      name: fc.constantFrom('list_tools', 'filter_tools', 'list_resources'),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(request, { minLength: 2, maxLength: 12 }), async (requests) => {
        const { harness } = under();
        const together = requests.map(({ header, name }) => under(header, harness).result(name));
        const alone = requests.map(({ header, name }) => under(header).result(name));
        expect(await Promise.all(together)).toEqual(await Promise.all(alone));
      }),
      { numRuns: 100 },
    );
  });

  it('is not built for an unscoped request: selections are only made under a header', async () => {
    let walked = 0;
    const watched = new Proxy(snapshot, {
      get: (target, key, receiver) => {
        if (key === 'toolsOfServer' || key === 'readOnlyTools' || key === 'serverLabels')
          walked += 1;
        return Reflect.get(target, key, receiver) as unknown;
      },
    });
    const { result, harness } = under(undefined, { snapshotOf: () => watched });
    const calls = [
      ['call_tool', { name: 'x_wiki_search' }],
      ['get_resource', { uri: 'wiki://home' }],
      ['get_prompt', { name: 'x_wiki_summary' }],
      ['list_resources', {}],
      ['list_prompts', {}],
      ['list_tools', {}],
    ] as const;
    for (const [name, args] of calls) await result(name, args);
    expect(walked).toBe(0);
    await under('server:wiki', harness).result('list_resources');
    expect(walked).toBeGreaterThan(0);
  });
});
