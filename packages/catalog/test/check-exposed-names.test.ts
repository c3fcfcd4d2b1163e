import { describe, expect, it } from 'vitest';
import { buildCatalog, formatWarning, listWarningEvents } from '../src/index.ts';
import type { ServerInventory } from '../src/index.ts';
import { catalogOf, core, inputOf, member, names, server, workflow } from './inventories.ts';

const textsOf = (...servers: readonly ServerInventory[]) =>
  catalogOf(...servers).warnings.map(formatWarning);

describe('a tool with a long exposed name', () => {
  it('is served without a word up to 64 characters, and with a warning up to 128', () => {
    const snapshot = catalogOf(server('s', ['a'.repeat(60), 'b'.repeat(61), 'c'.repeat(124)]));
    expect(snapshot.tools.map(({ name }) => name.length)).toEqual([64, 65, 128]);
    expect(snapshot.warnings.map(formatWarning)).toEqual([
      `tool "x_s_${'b'.repeat(61)}" of server "s" has a name of 65 characters, which some clients do not take`,
      `tool "x_s_${'c'.repeat(124)}" of server "s" has a name of 128 characters, which some clients do not take`,
    ]);
    expect(snapshot.warnings.flatMap(listWarningEvents)).toEqual([]);
  });

  it('is not served above 128 characters, and everything else of its server is', () => {
    const snapshot = catalogOf(server('s', ['a', 'b'.repeat(125), 'c']));
    expect(names(snapshot.tools)).toEqual(['x_s_a', 'x_s_c']);
    expect(snapshot.warnings.map(formatWarning)).toEqual([
      `tool "x_s_${'b'.repeat(124)}..." of server "s" is not served: its name has 129 characters, more than 128`,
    ]);
    expect(snapshot.warnings.flatMap(listWarningEvents)).toEqual([
      {
        reason: 'MCPServerToolNameRefused',
        name: 's',
        tool: `x_s_${'b'.repeat(124)}...`,
        error: 'its name has 129 characters, more than 128',
      },
    ]);
  });

  it('is judged by the name that is served: the toolPrefix and the family count', () => {
    const tool = 'a'.repeat(60);
    expect(textsOf(server('s', [tool], { toolPrefix: 'p'.repeat(66) }))).toEqual([
      `tool "x_${'p'.repeat(66)}_${'a'.repeat(59)}..." of server "s" is not served: its name has 129 characters, more than 128`,
    ]);
    const long = 'm'.repeat(70);
    expect(textsOf(member(long, [tool]))).toEqual([
      `tool "x_k8s_${tool}" of family "k8s" has a name of 66 characters, which some clients do not take`,
    ]);
  });

  it('is refused for every member of its family, and not served per server instead', () => {
    const snapshot = catalogOf(member('a', ['t'.repeat(123)]), member('b', ['t'.repeat(123)]));
    expect(snapshot.tools).toEqual([]);
    expect(snapshot.warnings.flatMap(listWarningEvents).map(({ name }) => name)).toEqual([
      'a',
      'b',
    ]);
  });

  it('is no matter of the gateway’s own tools', () => {
    const own = { workflows: [workflow('w'.repeat(200))], coreTools: [core('core_c')] };
    const snapshot = buildCatalog(inputOf([], own));
    expect([snapshot.tools.length, snapshot.warnings]).toEqual([2, []]);
  });
});

describe('a tool whose name cannot be seen whole', () => {
  it.each([
    'a\u0000',
    'a\nb',
    'a\tb',
    '\u202ea',
    'a\u200bb',
    'a\u{e0041}',
    'a\ufe0f\ufe0f',
    '\ufeffa',
    'a\u2066',
    'a\u200d',
    'é\u200c\u200d',
    '\u3164',
    'a\ud800',
  ])('is not served: %j', (name) => {
    const snapshot = catalogOf(server('s', ['b', name]));
    expect(names(snapshot.tools)).toEqual(['x_s_b']);
    expect(snapshot.warnings).toMatchObject([{ code: 'tool.name-refused' }]);
  });

  it.each(['a', 'ä b', '工具', '👩‍💻', '❤️', '__proto__', 'constructor', 'نام‌ابزار'])(
    'is served when nothing is hidden: %j',
    (name) => expect(names(catalogOf(server('s', [name])).tools)).toEqual([`x_s_${name}`]),
  );

  it('is named without what is hidden', () =>
    expect(textsOf(server('s', ['a\u202eb']))).toEqual([
      'tool "x_s_ab" of server "s" is not served: its name has characters that cannot be seen',
    ]));
});

describe('the warnings about names', () => {
  it('name 20 tools of an owner and count the others, so that no server can fill the log', () => {
    const many = Array.from({ length: 500 }, (_, index) => `${'n'.repeat(130)}${index}`);
    const texts = textsOf(server('s', many), server('t', [...many.slice(0, 20)]));
    expect(texts).toHaveLength(40);
    expect(texts[19]).toMatch(/\(and 480 more tools\)$/);
    expect(texts[39]).not.toContain('more tools');
  });

  it('of taken names are 100 for an owner', () => {
    const tools = Array.from({ length: 150 }, (_, index) => `t${index}`);
    const snapshot = catalogOf(server('a', tools), server('b', tools, { toolPrefix: 'a' }));
    expect([snapshot.tools.length, snapshot.warnings.length]).toEqual([150, 100]);
    expect(snapshot.warnings.slice(0, 1).flatMap(listWarningEvents)).toEqual([
      { reason: 'MCPServerToolNameConflict', name: 'b', tool: 'x_a_t0', keptBy: 'server "a"' },
    ]);
  });

  it('stay as they are while the server does, without looking at its names again', () => {
    const s = server('s', ['b'.repeat(100)]);
    const before = catalogOf(s);
    const after = buildCatalog(inputOf([s, server('t', ['u'])]), before);
    expect(after.warnings[0]).toBe(before.warnings[0]);
  });
});
