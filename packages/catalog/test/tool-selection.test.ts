import { describe, expect, it } from 'vitest';
import {
  buildCatalog,
  subtractSelection,
  createEmptySelection,
  intersectSelections,
  selectLists,
  uniteSelections,
  type CatalogSnapshot,
  type CatalogTool,
  type ToolSelection,
} from '../src/index.ts';
import { fc, test } from './fast-check.ts';
import { catalogOf, inputOf, member, names, server } from './inventories.ts';

const wide = buildCatalog(
  inputOf([
    server(
      's',
      Array.from({ length: 70 }, (_, index) => `t${index}`),
    ),
  ]),
);

const at = (...positions: readonly number[]): ToolSelection =>
  selectLists(wide, [positions.map((position) => wide.tools[position]!)]);

const all = (snapshot: CatalogSnapshot): ToolSelection => selectLists(snapshot, [snapshot.tools]);

describe('a selection', () => {
  it('selects nothing when empty and everything when full', () => {
    expect(createEmptySelection(wide).size).toBe(0);
    expect(createEmptySelection(wide).tools).toEqual([]);
    expect(all(wide).size).toBe(70);
    expect(all(wide).tools).toEqual(wide.tools);
  });

  it('is full of a catalog without tools, and of one that fills its words', () => {
    expect(all(catalogOf()).size).toBe(0);
    const names32 = Array.from({ length: 32 }, (_, index) => `t${index}`);
    expect(all(catalogOf(server('s', names32))).size).toBe(32);
  });

  it('lists in catalog order, each once', () => {
    const selection = at(69, 31, 0, 32, 31);
    expect(names(selection.tools)).toEqual(['x_s_t0', 'x_s_t31', 'x_s_t32', 'x_s_t69']);
    expect(selection.size).toBe(4);
    expect(selection.tools).toBe(selection.tools);
  });

  it('combines several lists', () => {
    const selection = selectLists(wide, [wide.tools.slice(0, 2), [], wide.tools.slice(1, 3)]);
    expect(names(selection.tools)).toEqual(['x_s_t0', 'x_s_t1', 'x_s_t2']);
    expect(selectLists(wide, []).size).toBe(0);
  });

  it('has what it lists and nothing else', () => {
    const selection = at(31, 63);
    expect(selection.has(wide.tools[31]!)).toBe(true);
    expect(selection.has(wide.tools[63]!)).toBe(true);
    expect(selection.has(wide.tools[32]!)).toBe(false);
  });

  it('knows the tools of its own snapshot only', () => {
    const other = catalogOf(server('s', ['t0']));
    expect(all(wide).has(other.tools[0]!)).toBe(false);
    expect(() => selectLists(wide, [other.tools])).toThrow(TypeError);
    expect(() => intersectSelections(all(wide), all(other))).toThrow(TypeError);
  });

  it('combines with selections made elsewhere', () => {
    const tools: readonly CatalogTool[] = wide.tools.slice(0, 2);
    const foreign: ToolSelection = {
      snapshot: wide,
      size: 2,
      tools,
      has: (tool) => tools.includes(tool),
      servers: new Set(['a']),
    };
    expect(names(intersectSelections(foreign, at(1, 2)).tools)).toEqual(['x_s_t1']);
    expect(names(subtractSelection(at(1, 2), foreign).tools)).toEqual(['x_s_t2']);
  });

  it('leaves what it is combined of as it is', () => {
    const [a, b] = [at(1), at(2)];
    uniteSelections([a, b]);
    expect([a.size, b.size]).toEqual([1, 1]);
  });
});

describe('the servers of a selection', () => {
  const snapshot = catalogOf(member('a', ['t', 'own']), member('b', ['t']), server('s', ['t']));
  const of = (...tools: readonly string[]): ToolSelection =>
    selectLists(snapshot, [tools.map((tool) => snapshot.tool(tool)!)]);

  it('are all providers of a selected tool', () => {
    const selection = of('x_k8s_t');
    expect(['a', 'b', 's'].map((name) => selection.servers.has(name))).toEqual([true, true, false]);
  });

  it('do not include a server that only has the name of a family', () => {
    const namesake = catalogOf(member('a', ['t']), server('k8s', ['own'], { toolPrefix: 'zz' }));
    const selected = (name: string) => selectLists(namesake, [[namesake.tool(name)!]]);
    expect(selected('x_k8s_t').servers.has('k8s')).toBe(false);
    expect(selected('x_zz_own').servers.has('k8s')).toBe(true);
  });

  it('do not include members that do not provide it', () => {
    expect(of('x_k8s_own').servers.has('b')).toBe(false);
    expect(of('x_k8s_own').servers.has('a')).toBe(true);
    expect(of('x_s_t').servers.has('s')).toBe(true);
    expect(of().servers.has('s')).toBe(false);
  });
});

describe('selections are sets', () => {
  const positions = fc.uniqueArray(fc.nat({ max: 69 }));
  const triple = fc.tuple(positions, positions, positions);
  const listed = (selection: ToolSelection): readonly number[] =>
    selection.tools.map(({ position }) => position);
  const sorted = (all: Iterable<number>): readonly number[] => [...all].sort((a, b) => a - b);

  test('a union is the union', triple, ([a, b, c]) => {
    const union = uniteSelections([at(...a), at(...b), at(...c)]);
    expect(listed(union)).toEqual(sorted(new Set([...a, ...b, ...c])));
    expect(union.size).toBe(union.tools.length);
  });

  test('an intersection is the intersection', triple, ([a, b]) =>
    expect(listed(intersectSelections(at(...a), at(...b)))).toEqual(
      sorted(a.filter((one) => b.includes(one))),
    ),
  );

  test('a difference is the difference', triple, ([a, b]) =>
    expect(listed(subtractSelection(at(...a), at(...b)))).toEqual(
      sorted(a.filter((one) => !b.includes(one))),
    ),
  );

  test('what is taken from all is outside it', positions, (a) => {
    const rest = subtractSelection(all(wide), at(...a));
    expect(rest.size).toBe(70 - a.length);
    expect(intersectSelections(rest, at(...a)).size).toBe(0);
    expect(uniteSelections([rest, at(...a)]).tools).toEqual(wide.tools);
  });

  test('a tool is inside exactly when it is listed', positions, (a) => {
    const selection = at(...a);
    expect(wide.tools.filter((tool) => selection.has(tool))).toEqual(selection.tools);
  });
});
