import { buildCatalog } from '@gateway/catalog';
import { parsePresets } from '@gateway/preset-resolver';
import { expect, it } from 'vitest';
import { createExcludeGapReporter } from '../src/compose-gateway.ts';

const inputSchema = { type: 'object', properties: {} };

const catalogOf = (...tools: readonly string[]) =>
  buildCatalog({
    servers: [
      {
        ...{ name: 's', labels: {}, resources: [], resourceTemplates: [], prompts: [] },
        tools: tools.map((name) => ({ name, inputSchema })),
      },
    ],
    ...{ workflows: [], coreTools: [] },
  });

const presetsOf = (pattern: string) => {
  const include = [{ server: 's' }];
  const parsed = parsePresets(
    { safe: { include, exclude: [{ pattern }] } },
    { gatewayVersion: '5.13.0' },
  );
  if (!parsed.ok) throw new Error('the presets are refused');
  return parsed.value;
};

const createTextMember = (pattern: string, names: string): string =>
  `preset "safe" exclude[0] pattern "${pattern}" does not exclude ${names}, because * stops at /; write the / in the pattern, or exclude tools by a rule "tool"`;

it('warns of a tool that a pattern in exclude misses, once for each name and pattern', () => {
  const lines: string[] = [];
  const report = createExcludeGapReporter((line) => lines.push(line));
  report(presetsOf('*delete*'), catalogOf('list', 'delete'));
  expect(lines.splice(0)).toEqual([]);
  report(presetsOf('*delete*'), catalogOf('list', 'admin/delete'));
  expect(lines.splice(0)).toEqual([createTextMember('*delete*', '"x_s_admin/delete"')]);
  report(presetsOf('*delete*'), catalogOf('list'));
  report(presetsOf('*delete*'), catalogOf('admin/delete', 'b/delete', 'c/list'));
  expect(lines.splice(0)).toEqual([createTextMember('*delete*', '"x_s_b/delete"')]);
  report(presetsOf('*del*'), catalogOf('admin/delete'));
  expect(lines.splice(0)).toEqual([createTextMember('*del*', '"x_s_admin/delete"')]);
  report(presetsOf('*/*delete*'), catalogOf('admin/delete'));
  expect(lines).toEqual([]);
});
