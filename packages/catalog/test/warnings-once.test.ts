import { describe, expect, it } from 'vitest';
import { buildCatalog, formatWarning, createWarningFilter } from '../src/index.ts';
import { catalogOf, inputOf, member, serverTool, server } from './inventories.ts';

const described = (name: string, description: string) =>
  member(name, [serverTool('get', { description })]);
const one = described('a', 'One.');
const two = described('b', 'Two.');
const differing = catalogOf(one, two);

describe('warningsOnce', () => {
  it('returns every warning of a first snapshot', () =>
    expect(createWarningFilter()(differing).map(({ code }) => code)).toEqual([
      'family.description-divergence',
    ]));

  it('returns no known warning again when a member joins', () => {
    const toLog = createWarningFilter();
    toLog(differing);
    const joined = buildCatalog(inputOf([one, two, described('c', 'Three.')]), differing);
    expect(joined.warnings).toHaveLength(1);
    expect(toLog(joined)).toEqual([]);
  });

  it('returns added warnings', () => {
    const toLog = createWarningFilter();
    toLog(differing);
    const colliding = [server('s', ['t']), server('u', ['t'], { toolPrefix: 's' })];
    expect(toLog(catalogOf(one, two, ...colliding)).map(formatWarning)).toEqual([
      'tool name "x_s_t" has two owners: server "s" serves it, server "u" does not',
    ]);
  });

  it('returns a warning once while a server connects and disconnects', () => {
    const toLog = createWarningFilter();
    expect(toLog(differing)).toHaveLength(1);
    expect(toLog(catalogOf(one))).toEqual([]);
    expect(toLog(differing)).toEqual([]);
    expect(toLog(catalogOf())).toEqual([]);
    expect(toLog(differing)).toEqual([]);
  });

  it('returns a warning again after it was resolved', () => {
    const toLog = createWarningFilter();
    toLog(differing);
    expect(toLog(catalogOf(one, described('b', 'One.')))).toEqual([]);
    expect(toLog(differing)).toHaveLength(1);
  });

  it('returns the divergence of a family once', () => {
    const other = (name: string) =>
      server(name, ['y'], { family: { name: 'k8s', instanceArg: 'host' } });
    const toLog = createWarningFilter();
    expect(toLog(catalogOf(member('a', ['x']), other('b')))).toHaveLength(1);
    expect(toLog(catalogOf(member('a', ['x']), other('b'), other('c')))).toEqual([]);
  });
});
