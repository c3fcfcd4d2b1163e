import { describe, expect, it } from 'vitest';
import {
  assignNames,
  buildCatalog,
  type NameAssignment,
  type ServerInventory,
} from '../src/index.ts';
import { inputOf, member, server, serverTool } from './inventories.ts';
import { requirement } from './requirement.ts';

/** The next assignment, when these servers are connected and `absent` exist besides. */
const after = (
  previous: NameAssignment | undefined,
  servers: readonly ServerInventory[],
  absent: readonly ServerInventory[] = [],
): NameAssignment => {
  const sorted = servers.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return assignNames({ servers: sorted, defined: [...sorted, ...absent] }, previous);
};

/** `exposed name: provider` of every tool that is served. */
const served = (
  { contested }: NameAssignment,
  servers: readonly ServerInventory[],
): readonly string[] =>
  buildCatalog({ ...inputOf(servers), contested }).tools.map(
    ({ name, providers }) => `${name}: ${providers.map((one) => one.server).join('+')}`,
  );

const zhub = server('zhub', ['create'], { toolPrefix: 'git_hub' });
const gitBefore = server('git', ['log']);
const git = server('git', ['log', 'hub_create']);

requirement('1.4/name-holder', () => {
  it('leaves a name with its holder when a server whose name sorts first announces it later', () => {
    const servers = [git, zhub];
    const before = after(undefined, [gitBefore, zhub]);
    expect(served(before, [gitBefore, zhub])).toEqual(['x_git_log: git', 'x_git_hub_create: zhub']);
    const now = after(before, servers);
    expect(served(now, servers)).toEqual(['x_git_log: git', 'x_git_hub_create: zhub']);
    expect(now.contested.tools).toEqual([
      { name: 'x_git_hub_create', owner: { kind: 'server', name: 'zhub' } },
    ]);
    expect(Object.fromEntries(now.conflicts)).toEqual({
      git: {
        total: 1,
        first: [{ kind: 'tool', name: 'x_git_hub_create', heldBy: 'server "zhub"' }],
      },
    });
  });

  it('gives it to the first server by name when nobody holds it', () => {
    const now = after(undefined, [zhub, git]);
    expect(served(now, [zhub, git])).toEqual(['x_git_log: git', 'x_git_hub_create: git']);
    expect([...now.conflicts.keys()]).toEqual(['zhub']);
  });

  it('leaves it with a holder that is not connected, and serves it by nobody else', () => {
    const before = after(undefined, [gitBefore, zhub]);
    const without = after(before, [git], [zhub]);
    expect(served(without, [git])).toEqual(['x_git_log: git']);
    const again = after(without, [git, zhub]);
    expect(served(again, [git, zhub])).toEqual(['x_git_log: git', 'x_git_hub_create: zhub']);
  });

  it('gives it to the waiting server when the holder is deleted', () => {
    const before = after(after(undefined, [gitBefore, zhub]), [git, zhub]);
    const now = after(before, [git]);
    expect(served(now, [git])).toEqual(['x_git_log: git', 'x_git_hub_create: git']);
    expect(now.conflicts.size).toBe(0);
    const late = after(now, [git, zhub]);
    expect(served(late, [git, zhub])).toEqual(['x_git_log: git', 'x_git_hub_create: git']);
  });

  it('gives it to the waiting server when the holder drops the tool', () => {
    const before = after(after(undefined, [gitBefore, zhub]), [git, zhub]);
    const dropped = server('zhub', ['other'], { toolPrefix: 'git_hub' });
    expect(served(after(before, [git, dropped]), [git, dropped])).toEqual([
      'x_git_log: git',
      'x_git_hub_create: git',
      'x_git_hub_other: zhub',
    ]);
  });

  it('frees the names of a server that is not connected when its prefix or its family changes', () => {
    const before = after(undefined, [gitBefore, zhub]);
    const renamed = server('zhub', [], { toolPrefix: 'hub' });
    expect(served(after(before, [git], [renamed]), [git])).toContain('x_git_hub_create: git');
    const joined = { ...zhub, family: { name: 'hubs', instanceArg: 'hub' } };
    expect(served(after(before, [git], [joined]), [git])).toContain('x_git_hub_create: git');
  });

  it('exchanges two names that two servers exchange within one update', () => {
    const one = (tool: string) => server('a_b', [tool]);
    const two = (tool: string) => server('a', [`b_${tool}`]);
    const before = after(undefined, [one('x'), two('y')]);
    const now = after(before, [one('y'), two('x')]);
    expect(now.contested.tools).toEqual([]);
    expect(served(now, [one('y'), two('x')])).toEqual(['x_a_b_x: a', 'x_a_b_y: a_b']);
  });

  it('has no owner change when each announces the name of the other besides its own', () => {
    const before = after(undefined, [server('a_b', ['x']), server('a', ['b_y'])]);
    const both = [server('a_b', ['x', 'y']), server('a', ['b_y', 'b_x'])];
    expect(served(after(before, both), both)).toEqual(['x_a_b_y: a', 'x_a_b_x: a_b']);
  });

  it('holds between a server and a family in both directions', () => {
    const [own, shared] = [server('k8s', ['get']), member('m', ['get'])];
    const familyFirst = after(after(undefined, [shared]), [own, shared]);
    expect(served(familyFirst, [own, shared])).toEqual(['x_k8s_get: m']);
    expect([...familyFirst.conflicts.keys()]).toEqual(['k8s']);
    const serverFirst = after(after(undefined, [own]), [own, shared]);
    expect(served(serverFirst, [own, shared])).toEqual(['x_k8s_get: k8s']);
    expect(serverFirst.conflicts.get('m')?.first).toEqual([
      { kind: 'tool', name: 'x_k8s_get', heldBy: 'server "k8s"' },
    ]);
  });

  it('leaves the name with a family while any of its members exists', () => {
    const own = server('k8s', ['get']);
    const [m, n] = [member('m', ['get']), member('n', ['get'])];
    const both = after(undefined, [m, n]);
    const absent = after(both, [own], [m, n]);
    expect(served(absent, [own])).toEqual([]);
    expect(served(after(absent, [own], [n]), [own])).toEqual([]);
    expect(served(after(absent, [own]), [own])).toEqual(['x_k8s_get: k8s']);
  });

  it('leaves the name with a family whose member starts to describe the tool differently', () => {
    const own = server('k8s', ['get']);
    const [m, n] = [member('m', ['get']), member('n', ['get'])];
    const other = member('n', [serverTool('get', { description: 'Other.' })]);
    const now = after(after(undefined, [m, n]), [own, m, other]);
    expect(served(now, [own, m, other])).toEqual(['x_m_get: m', 'x_n_get: n']);
  });

  it('leaves the own name with a server whose tool joins the one of its family', () => {
    const odd = server('o', ['get'], { toolPrefix: 'n' });
    const m = member('m', ['get']);
    const apart = member('n', [serverTool('get', { description: 'Other.' })]);
    const before = after(undefined, [m, apart]);
    const now = after(before, [m, member('n', ['get']), odd]);
    expect(served(now, [m, member('n', ['get']), odd])).toEqual(['x_k8s_get: m+n']);
    expect([...now.conflicts.keys()]).toEqual(['o']);
  });

  it('holds for prompts, apart from tools', () => {
    const prompts = [{ name: 'create' }];
    const [a, b] = [server('z', [], { toolPrefix: 'a', prompts }), server('a', ['create'])];
    const before = after(undefined, [a, b]);
    expect(before.contested).toEqual({ tools: [], prompts: [] });
    const late = server('a', ['create'], { prompts });
    const now = after(before, [a, late]);
    const catalog = buildCatalog({ ...inputOf([a, late]), contested: now.contested });
    expect(catalog.prompts.map((one) => one.server)).toEqual(['z']);
    expect(catalog.warnings).toEqual([
      {
        code: 'prompt.name-collision',
        name: 'x_a_create',
        served: { kind: 'server', name: 'z' },
        dropped: { kind: 'server', name: 'a' },
      },
    ]);
    expect(now.conflicts.get('a')).toEqual({
      total: 1,
      first: [{ kind: 'prompt', name: 'x_a_create', heldBy: 'server "z"' }],
    });
  });

  it('warns of the tool that is not served, also while the holder is not connected', () => {
    const { contested } = after(after(undefined, [gitBefore, zhub]), [git], [zhub]);
    expect(buildCatalog({ ...inputOf([git]), contested }).warnings).toEqual([
      {
        code: 'tool.name-collision',
        name: 'x_git_hub_create',
        served: { kind: 'server', name: 'zhub' },
        dropped: { kind: 'server', name: 'git' },
        servers: ['git'],
      },
    ]);
  });
});

describe('an assignment', () => {
  it('lists 20 conflicts of a server and counts the others', () => {
    const tools = Array.from({ length: 30 }, (_, index) => `t${index}`);
    const [a, b] = [server('a', tools), server('b', tools, { toolPrefix: 'a' })];
    const conflicts = after(undefined, [a, b]).conflicts.get('b');
    expect([conflicts?.total, conflicts?.first.length]).toEqual([30, 20]);
  });

  it('has no conflict about a name that is never served', () => {
    const tools = ['t'.repeat(130), 'hidden\u200btool'];
    const [a, b] = [server('a', tools), server('b', tools, { toolPrefix: 'a' })];
    expect(after(undefined, [a, b]).contested.tools).toEqual([]);
  });

  it('shares what did not change', () => {
    const before = after(undefined, [git, zhub]);
    expect(after(before, [git, zhub, server('new', ['t'])]).contested).toBe(before.contested);
    expect(after(undefined, [zhub]).contested).toEqual({ tools: [], prompts: [] });
  });

  it('accepts names that are properties of objects', () => {
    const odd = server('__proto__', ['constructor', '__proto__']);
    const late = server('a', ['constructor'], { toolPrefix: '__proto__' });
    const now = after(after(undefined, [odd]), [odd, late]);
    expect(now.contested.tools).toEqual([
      { name: 'x___proto___constructor', owner: { kind: 'server', name: '__proto__' } },
    ]);
  });
});
