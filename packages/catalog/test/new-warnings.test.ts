import { describe, expect, it } from 'vitest';
import { buildCatalog, catalogWarningText, newWarnings } from '../src/index.ts';
import { catalogOf, inputOf, member, serverTool, server } from './inventories.ts';

const differing = [
  member('a', [serverTool('get', { description: 'One.' })]),
  member('b', [serverTool('get', { description: 'Two.' })]),
];

describe('newWarnings', () => {
  it('gives every warning of a first snapshot', () =>
    expect(newWarnings(undefined, catalogOf(...differing)).map(({ code }) => code)).toEqual([
      'family.description-divergence',
    ]));

  it('gives none that was there before, whoever joins', () => {
    const before = catalogOf(...differing);
    const joined = member('c', [serverTool('get', { description: 'Three.' })]);
    const after = buildCatalog(inputOf([...differing, joined]), before);
    expect(after.warnings).toHaveLength(1);
    expect(newWarnings(before, after)).toEqual([]);
  });

  it('gives what is added, and gives it again after it was gone', () => {
    const before = catalogOf(...differing);
    const collision = [server('s', ['t']), server('u', ['t'], { toolPrefix: 's' })];
    const after = catalogOf(...differing, ...collision);
    expect(newWarnings(before, after).map(catalogWarningText)).toEqual([
      'tool name "x_s_t" is taken: server "s" keeps it, the one of server "u" is not served',
    ]);
    expect(newWarnings(after, before)).toEqual([]);
    expect(newWarnings(catalogOf(), before)).toHaveLength(1);
  });

  it('tells a family of divergent instance arguments once', () => {
    const one = member('a', ['x']);
    const other = (name: string) =>
      server(name, ['y'], { family: { name: 'k8s', instanceArg: 'host' } });
    const before = catalogOf(one, other('b'));
    expect(newWarnings(undefined, before)).toHaveLength(1);
    expect(newWarnings(before, catalogOf(one, other('b'), other('c')))).toEqual([]);
  });
});
