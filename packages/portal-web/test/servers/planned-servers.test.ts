import { type ImportedServer, parseImport } from '@gateway/client-config';
import { describe, expect, it } from 'vitest';
import {
  filterCreatable,
  NO_CHOICES,
  planServers,
} from '../../src/pages/server-import/planned-servers.ts';

const serversOf = (text: string): readonly ImportedServer[] => {
  const parsed = parseImport(text);
  return parsed.ok ? parsed.servers : [];
};

const TWO = serversOf('{"mcpServers": {"One": {"command": "a"}, "two": {"command": "b"}}}');
const NEW = { existing: new Set<string>(), checks: [[], []] };
const problemsOf = (planned: ReturnType<typeof planServers>) =>
  planned.map(({ name, problems }) => [name, problems]);

describe('the servers that an import creates', () => {
  it('have proposed names and no problems', () => {
    const planned = planServers(TWO, NO_CHOICES, NEW);
    expect(problemsOf(planned)).toEqual([
      ['one', []],
      ['two', []],
    ]);
    expect(filterCreatable(planned)).toHaveLength(2);
  });

  it('cannot have a name that the gateway, or another one, has', () => {
    const choices = { names: new Map([['One', 'two']]), leftOut: new Set<string>() };
    const planned = planServers(TWO, choices, { ...NEW, existing: new Set(['two']) });
    const both = [
      'The gateway has a server of the name "two" already.',
      'Another server of this import has the name "two" too.',
    ];
    expect(problemsOf(planned)).toEqual([
      ['two', both],
      ['two', both],
    ]);
    expect(filterCreatable(planned)).toEqual([]);
  });

  it('are not those that a user leaves out, whose names are free', () => {
    const choices = { names: new Map([['One', 'two']]), leftOut: new Set(['two']) };
    const planned = planServers(TWO, choices, NEW);
    expect(filterCreatable(planned).map(({ source }) => source)).toEqual(['One']);
  });

  it('have the problems that the gateway names, unless the text itself is wrong', () => {
    const [bad] = serversOf('{"mcpServers": {"bad": {"command": "a", "args": 1}}}');
    const servers = [...TWO.slice(0, 1), ...(bad === undefined ? [] : [bad])];
    const checks = [['url: not permitted'], ['command is required for stdio type']];
    expect(problemsOf(planServers(servers, NO_CHOICES, { ...NEW, checks }))).toEqual([
      ['one', ['url: not permitted']],
      ['bad', ['Its "args" must be a list of texts.']],
    ]);
  });
});
