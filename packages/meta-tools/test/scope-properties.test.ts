import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { requirement } from './requirement.ts';
import { toAnswer, listNames, resultOf, harnessOf } from './harness.ts';

const SELECTORS = [
  'preset:read-only',
  'preset:none',
  'preset:full',
  'preset:team',
  'preset:storage',
  'preset:ghosts',
  'server:files',
  'server:wiki',
  'server:k8s',
  'server:dev',
  'server:nowhere',
  'workflow:deploy',
  'workflow:report',
  'tool:x_files_write_file',
  'tool:x_k8s_pods',
  'tool:core_service_list',
  'tool:workflow_deploy',
  'tool:nothing',
] as const;

const toolset = fc.array(fc.constantFrom(...SELECTORS), { minLength: 1, maxLength: 5 });

const toolsUnder = async (
  header: readonly string[] | undefined,
  args: Readonly<Record<string, unknown>>,
): Promise<readonly unknown[]> =>
  listNames(
    await toAnswer('filter_tools', { ...args, limit: 100 }, header === undefined ? {} : { header }),
    'tools',
  );

requirement('1.2/third-filter', () => {
  it('returns under header H with argument A the tools that both H and A select, for every H and A', async () => {
    await fc.assert(
      fc.asyncProperty(toolset, toolset, async (header, argument) => {
        const ofHeader = await toolsUnder(header, {});
        const ofArgument = await toolsUnder(undefined, { toolset: argument });
        const ofBoth = await toolsUnder(header, { toolset: argument });
        expect(ofBoth).toEqual(ofHeader.filter((name) => ofArgument.includes(name)));
      }),
      { numRuns: 150 },
    );
  });

  it("adds nothing to the caller's catalog, for every H", async () => {
    const all = await toolsUnder(undefined, {});
    await fc.assert(
      fc.asyncProperty(toolset, async (header) => {
        const names = await toolsUnder(header, {});
        expect(names).toEqual(all.filter((name) => names.includes(name)));
      }),
      { numRuns: 50 },
    );
  });
});

describe('a toolset', () => {
  it('means the same to all meta-tools: the tools of list_tools can be described and called, no other can', async () => {
    const all = await toolsUnder(undefined, {});
    await fc.assert(
      fc.asyncProperty(
        toolset,
        fc.constantFrom(...(all as readonly string[])),
        async (header, name) => {
          const shown = listNames(await toAnswer('list_tools', {}, { header }), 'tools').includes(
            name,
          );
          const args = { name, arguments: { cluster: 'dev' } };
          expect((await resultOf('describe_tool', { name }, { header }))['isError']).toBe(
            shown ? undefined : true,
          );
          expect((await resultOf('call_tool', args, { header }))['isError']).toBe(
            shown ? undefined : true,
          );
        },
      ),
      { numRuns: 100 },
    );
  });

  it('is never seen by another request of the session, however they interleave', async () => {
    const request = fc.record({
      header: fc.option(toolset, { nil: undefined }),
      name: fc.constantFrom(
        'list_tools' as const,
        'filter_tools' as const,
        'list_resources' as const,
      ),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(request, { minLength: 2, maxLength: 12 }), async (requests) => {
        const harness = harnessOf();
        const ask = (one: (typeof requests)[number], shared = harness) =>
          resultOf(one.name, {}, { harness: shared, ...(one.header && { header: one.header }) });
        const together = await Promise.all(requests.map((one) => ask(one)));
        const alone: unknown[] = [];
        for (const one of requests) alone.push(await ask(one, harnessOf()));
        expect(together).toEqual(alone);
      }),
      { numRuns: 100 },
    );
  });

  it('is not built for an unscoped request: selections are only made under a header', async () => {
    const { snapshot } = await import('./harness.ts');
    let walked = 0;
    const watched = new Proxy(snapshot, {
      get: (target, key, receiver) => {
        if (key === 'toolsOfServer' || key === 'readOnlyTools' || key === 'serverLabels')
          walked += 1;
        return Reflect.get(target, key, receiver) as unknown;
      },
    });
    const harness = harnessOf({ snapshotOf: () => watched });
    const calls = [
      ['call_tool', { name: 'x_wiki_search' }],
      ['get_resource', { uri: 'wiki://home' }],
      ['get_prompt', { name: 'x_wiki_summary' }],
      ['list_resources', {}],
      ['list_prompts', {}],
      ['list_tools', {}],
    ] as const;
    for (const [name, args] of calls) await resultOf(name, args, { harness });
    expect(walked).toBe(0);
    await resultOf('list_resources', {}, { harness, header: 'server:wiki' });
    expect(walked).toBeGreaterThan(0);
  });
});
