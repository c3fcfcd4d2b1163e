import type { JsonObject } from '@gateway/call-contract';
import type { GeneratedFile } from '@gateway/repo-checks';
import { createMetaTools, type MetaToolPorts } from './src/index.ts';
import { resultSchemas } from './src/create-meta-tools.ts';
import type { MetaToolDefinition } from './src/contract/meta-tool.ts';

const cell = (value: unknown): string =>
  typeof value === 'string' ? value.replaceAll('|', '\\|') : '';

const asObject = (value: unknown): JsonObject =>
  typeof value === 'object' && value !== null ? (value as JsonObject) : {};

const defaultText = (value: unknown): string =>
  value === undefined ? '' : `\`${JSON.stringify(value)}\``;

/** The arguments as a table, in the order of the input schema. */
const argumentTable = ({ inputSchema }: MetaToolDefinition): readonly string[] => {
  const required = new Set(inputSchema['required'] as readonly string[] | undefined);
  const rows = Object.entries(asObject(inputSchema['properties'])).map(([name, value]) => {
    const property = asObject(value);
    const presence = required.has(name) ? 'required' : 'optional';
    return `| \`${name}\` | ${cell(property['type'])} | ${presence} | ${defaultText(property['default'])} | ${cell(property['description'])} |`;
  });
  if (rows.length === 0) return ['No arguments.'];
  return [
    '| argument | type | presence | default | meaning |',
    '| --- | --- | --- | --- | --- |',
    ...rows,
  ];
};

const section = (definition: MetaToolDefinition): string =>
  [
    `## \`${definition.name}\``,
    '',
    definition.description,
    '',
    ...argumentTable(definition),
    '',
    'Answer, as JSON Schema:',
    '',
    '```json',
    JSON.stringify(resultSchemas[definition.name], null, 2),
    '```',
  ].join('\n');

// Only the definitions are read; no port is ever called.
const unusedPorts = {} as MetaToolPorts;

/** `docs/reference/meta-tools.md`: what the definitions say, as tables. */
export const generated: readonly GeneratedFile[] = [
  {
    path: 'docs/reference/meta-tools.md',
    text: () =>
      [
        '# Meta-tools: arguments and answers',
        '',
        'Generated from the definitions that `tools/list` serves. For use and examples see [Meta-tools](../meta-tools.md).',
        '',
        createMetaTools(unusedPorts, { apiGroup: 'gateway.internal' })
          .definitions.map(section)
          .join('\n\n'),
        '',
      ].join('\n'),
  },
];
