import { fc, test } from './fast-check.ts';
import { describe, expect } from 'vitest';
import {
  assignNames,
  buildCatalog,
  type NameAssignment,
  type NameOwner,
  type ServerInventory,
} from '../src/index.ts';
import { inputOf, member, server, serverTool } from './inventories.ts';

/** One server in one state of the world. */
interface Placed {
  readonly state: string;
  readonly inventory: ServerInventory;
}

const placeTools = fc
  .record({
    name: fc.constantFrom('a', 'a_b', 'k8s', 'z'),
    toolPrefix: fc.constantFrom('', 'a', 'a_b', 'k8s'),
    tools: fc.uniqueArray(fc.constantFrom('t', 'b_t', 'c_t', '__proto__')),
    description: fc.constantFrom('One.', 'Two.'),
    isMember: fc.boolean(),
    state: fc.constantFrom('connected', 'absent', 'deleted'),
  })
  .map(({ name, toolPrefix, tools, description, isMember, state }): Placed => {
    const entries = tools.map((each) => serverTool(each, { description }));
    return { state, inventory: (isMember ? member : server)(name, entries, { toolPrefix }) };
  });

const worlds = fc.array(
  fc.uniqueArray(placeTools, { selector: ({ inventory }) => inventory.name, maxLength: 4 }),
  { maxLength: 6 },
);

const of = (world: readonly Placed[], state: string): readonly ServerInventory[] =>
  world
    .filter((one) => one.state === state)
    .map(({ inventory }) => inventory)
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));

/** Returns whether a server of the owner lists the tool of this exposed name. */
const lists = (owner: NameOwner, name: string) => (one: ServerInventory) => {
  const isOwn = owner.kind === 'server' && one.name === owner.name;
  const isShared = owner.kind === 'family' && one.family?.name === owner.name;
  const prefix = isOwn ? one.toolPrefix || one.name : owner.name;
  return (isOwn || isShared) && one.tools.some((tool) => `x_${prefix}_${tool.name}` === name);
};

describe('every sequence of changes', () => {
  test(
    'leaves a name with its owner while a connected server of it lists the tool',
    worlds,
    (list) => {
      let before: NameAssignment | undefined;
      for (const world of list) {
        const servers = of(world, 'connected');
        const next = assignNames(
          { servers, defined: [...servers, ...of(world, 'absent')] },
          before,
        );
        for (const [name, owner] of before?.tools ?? [])
          if (servers.some(lists(owner, name))) expect(next.tools.get(name)).toEqual(owner);
        before = next;
      }
    },
  );

  test('serves every name by its holder, or by nobody', worlds, (list) => {
    let before: NameAssignment | undefined;
    for (const world of list) {
      const servers = of(world, 'connected');
      const next = assignNames({ servers, defined: [...servers, ...of(world, 'absent')] }, before);
      const { tools } = buildCatalog({ ...inputOf(servers), contested: next.contested });
      for (const { name, server: owner, instanceArg } of tools) {
        const kind = instanceArg === undefined ? 'server' : 'family';
        expect(next.tools.get(name)).toEqual({ kind, name: owner });
      }
      before = next;
    }
  });
});
