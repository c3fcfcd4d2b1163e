import { expect, it } from 'vitest';
import { agentPlatformMcpsValues } from '../../values/agent-platform-mcps.ts';
import { templateTexts } from '../harness/template-texts.ts';
import { verdictsOf } from '../harness/verdicts.ts';

const PROBLEM = '{{ include "agent-platform-mcps.problem" . }}';

/** The fields of a server that an entry has too, with their names there. */
const FIELDS = new Map([
  ['type', 'transport'],
  ['url', 'url'],
  ['headersFrom', 'headersFrom'],
]);

const valuesOf = (spec: object) => ({
  mcpServers: [
    {
      cluster: 'alpha',
      group: 'wiki',
      name: 'x',
      ...Object.fromEntries(
        Object.entries(spec).map(([field, value]) => [
          FIELDS.get(field) ?? field,
          value as unknown,
        ]),
      ),
    },
  ],
});

/** The table by which the API server, the gateway and the chart of the gateway are compared. */
it('refuses headers from Secrets and ConfigMaps with the first sentence of the gateway', async () => {
  const verdicts = verdictsOf('MCPServer').filter(
    ({ spec }) =>
      'headersFrom' in spec &&
      'url' in spec &&
      Object.keys(spec).every((field) => FIELDS.has(field)) &&
      agentPlatformMcpsValues.safeParse(valuesOf(spec)).success,
  );
  const long = {
    type: 'sse',
    url: 'http://example.com/sse',
    headersFrom: [{ name: 'ä'.repeat(257), secretKeyRef: { name: 'api', key: 'token' } }],
  };
  const rows = [
    ...verdicts,
    {
      title: 'a long name',
      spec: long,
      refused: ['spec.headersFrom[0].name: must be at most 256 characters'],
    },
  ];
  const texts = await templateTexts(
    'agent-platform-mcps',
    PROBLEM,
    rows.map(({ spec }) => valuesOf(spec)),
  );
  const expected = rows.map(({ title, refused: [first] }) =>
    first === undefined
      ? `${title} => `
      : `${title} => mcpServers entry "x": ${first.replace('spec.', '')}`,
  );
  expect(rows.map(({ title }, at) => `${title} => ${texts[at] ?? ''}`)).toEqual(expected);
  expect(rows.filter(({ refused }) => refused.length > 0).length).toBeGreaterThan(9);
});
