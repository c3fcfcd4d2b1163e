import type { JsonObject } from '@gateway/call-contract';
import type { GeneratedFile } from '@gateway/repo-checks';
import { createMetaTools, type MetaToolPorts } from './src/index.ts';
import { resultSchemas } from './src/create-meta-tools.ts';
import type { MetaToolDefinition } from './src/contract/meta-tool.ts';

const cell = (value: unknown): string =>
  typeof value === 'string' ? value.replaceAll('|', '\\|') : '';

const asObject = (value: unknown): JsonObject =>
  typeof value === 'object' && value !== null ? (value as JsonObject) : {};

/** Type, and whether the argument is required or has a default. */
const typeOf = (property: JsonObject, isRequired: boolean): string => {
  const type = cell(property['type']);
  if (isRequired) return `${type}, required`;
  const value = property['default'];
  return value === undefined ? type : `${type}, default \`${JSON.stringify(value)}\``;
};

/** The arguments, in the order of the input schema. */
const argumentList = ({ inputSchema }: MetaToolDefinition): readonly string[] => {
  const required = new Set(inputSchema['required'] as readonly string[] | undefined);
  const rows = Object.entries(asObject(inputSchema['properties'])).map(([name, value]) => {
    const property = asObject(value);
    const about = cell(property['description']);
    const end = about === '' ? '' : `: ${about}`;
    return `- \`${name}\` (${typeOf(property, required.has(name))})${end}`;
  });
  return rows.length === 0 ? ['No arguments.'] : rows;
};

const contentOf = ({ description: _description, ...schema }: JsonObject): string =>
  JSON.stringify(schema);

/** The objects below a schema, with names of the keys that have them: `Tool` of `tools`. */
const objectsBelow = (schema: JsonObject): readonly (readonly [name: string, JsonObject])[] =>
  Object.entries(asObject(schema['properties'])).flatMap(([key, value]) => {
    const property = asObject(value);
    const inner = property['type'] === 'array' ? asObject(property['items']) : property;
    const words = key.replace(/s$/u, '').split('_');
    const name = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
    const own = inner['properties'] === undefined ? [] : [[name, inner] as const];
    return [...own, ...objectsBelow(inner)];
  });

/** The names of the objects that several answers have, by content. */
const sharedNames: ReadonlyMap<string, string> = new Map(
  [
    ...Map.groupBy(
      Object.values(resultSchemas).flatMap((schema) => objectsBelow(asObject(schema))),
      ([, object]) => contentOf(object),
    ),
  ].flatMap(([content, [first, ...others]]) =>
    first === undefined || others.length === 0 ? [] : [[content, first[0]] as const],
  ),
);

const members = (schema: JsonObject, indent: string): readonly string[] => {
  const required = new Set(schema['required'] as readonly string[] | undefined);
  return Object.entries(asObject(schema['properties'])).map(([name, value]) => {
    const about = cell(asObject(value)['description']);
    const mark = required.has(name) ? '' : '?';
    return `${indent}${name}${mark}: ${shapeOf(asObject(value), indent)};${about === '' ? '' : ` // ${about}`}`;
  });
};

const listed = (values: unknown): string =>
  (values as readonly unknown[]).map((value) => JSON.stringify(value)).join(' | ');

const arrayShape = (item: string): string =>
  /^[^{]* \| /u.test(item) ? `(${item})[]` : `${item}[]`;

const objectShape = (schema: JsonObject, indent: string): string => {
  const { properties, additionalProperties: others } = schema;
  if (properties !== undefined)
    return `{\n${members(schema, `${indent}  `).join('\n')}\n${indent}}`;
  return typeof others === 'object' ? `Record<string, ${shapeOf(asObject(others))}>` : 'object';
};

/** A JSON Schema in the notation of TypeScript. */
function shapeOf(schema: JsonObject, indent = ''): string {
  const { type, items, enum: values, const: only, anyOf: choices } = schema;
  if (Array.isArray(choices))
    return choices.map((choice) => shapeOf(asObject(choice), indent)).join(' | ');
  if (only !== undefined) return JSON.stringify(only);
  if (values !== undefined) return listed(values);
  if (type === 'array') return arrayShape(shapeOf(asObject(items), indent));
  if (type === 'object') return sharedNames.get(contentOf(schema)) ?? objectShape(schema, indent);
  return typeof type === 'string' ? type.replace('integer', 'number') : 'unknown';
}

/** The whole answer of a meta-tool, which has no name. */
const answerShape = (schema: JsonObject): string =>
  schema['type'] === 'object' ? objectShape(schema, '') : shapeOf(schema);

const section = (definition: MetaToolDefinition): string =>
  [
    `## \`${definition.name}\``,
    '',
    definition.description,
    '',
    ...argumentList(definition),
    '',
    'Answer:',
    '',
    '```ts',
    answerShape(asObject(resultSchemas[definition.name])),
    '```',
  ].join('\n');

const sharedShapes = (): readonly string[] =>
  [...sharedNames].map(
    ([content, name]) => `type ${name} = ${objectShape(JSON.parse(content) as JsonObject, '')}`,
  );

// Only the definitions are read; no port is ever called.
const unusedPorts = {} as MetaToolPorts;

/** `docs/reference/meta-tools.md`: what the definitions say. */
export const generated: readonly GeneratedFile[] = [
  {
    path: 'docs/reference/meta-tools.md',
    text: () =>
      [
        '# Meta-tools: arguments and answers',
        '',
        'Generated from the definitions that `tools/list` serves. For use and examples see [Meta-tools](../meta-tools.md). The answers are JSON, here in the notation of TypeScript: `?` marks what can be absent.',
        '',
        createMetaTools(unusedPorts, { apiGroup: 'gateway.internal', pageSize: 100 })
          .definitions.map(section)
          .join('\n\n'),
        '',
        '## Objects of several answers',
        '',
        '```ts',
        ...sharedShapes(),
        '```',
        '',
      ].join('\n'),
  },
];
