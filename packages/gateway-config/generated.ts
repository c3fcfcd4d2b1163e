import type { GeneratedFile } from '@gateway/repo-checks';
import { readFileSync } from 'node:fs';
import { createConfigJsonSchema } from './src/schema/config-json-schema.ts';
import { DEFAULT_ADDRESS, DEFAULT_HEALTH_PORT } from './src/defaults.ts';

interface KeySchema {
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly enum?: readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, KeySchema>>;
  readonly required?: readonly string[];
  readonly items?: KeySchema;
}

type Row = readonly [key: string, value: string, values: string, meaning: string];

const code = (text: string): string => `\`${text}\``;

function defaultText({ default: value }: KeySchema, isRequired: boolean): string {
  if (value === undefined) return isRequired ? 'required' : 'unset';
  if (typeof value === 'object' && value !== null && Object.keys(value).length === 0) return 'none';
  return typeof value === 'string' ? code(value) : JSON.stringify(value);
}

/** Returns the values that a key accepts; an empty text when its meaning names them. */
function valuesText({ minimum, maximum, enum: values }: KeySchema): string {
  if (values !== undefined) return values.map(code).join(', ');
  return minimum === undefined || maximum === undefined ? '' : `${minimum} to ${maximum}`;
}

/** Returns the rows of a key: one, those of its keys, or one and those of its items. */
function rowsOfKey(key: string, schema: KeySchema, isRequired: boolean): readonly Row[] {
  const { properties, items, description = '' } = schema;
  if (key !== 'toolsetPresets' && properties !== undefined) return rowsOf(schema, `${key}.`);
  const row: Row = [code(key), defaultText(schema, isRequired), valuesText(schema), description];
  return items === undefined ? [row] : [row, ...rowsOf(items, `${key}[].`)];
}

function rowsOf({ properties = {}, required = [] }: KeySchema, parent = ''): readonly Row[] {
  return Object.entries(properties).flatMap(([name, schema]) =>
    rowsOfKey(`${parent}${name}`, schema, required.includes(name)),
  );
}

/** A key with its default and its values in parentheses. */
const lineOf = ([key, value, values, meaning]: Row): string => {
  const facts = values === '' && value === 'unset' ? '' : ` (${value}${values && `; ${values}`})`;
  return `- ${key}${facts}: ${meaning}`;
};

const groupOf = ([key]: Row): string => {
  const [group = '', ...rest] = key.replaceAll('`', '').split('.');
  return rest.length === 0 ? 'Top level' : code(group);
};

/** Returns the page of all keys: one list for the keys of the first level, and one for each group. */
function keyReference(): string {
  const sections = Map.groupBy(rowsOf(createConfigJsonSchema()), groupOf);
  return [
    '# Keys of `config.yaml`',
    'Generated from the schema that the gateway reads the file with. Parentheses contain the default and the values. `[]` marks the keys of an item of a list. For use see [Configuration](../configuration.md).',
    ...[...sections].flatMap(([title, rows]) => [`## ${title}`, rows.map(lineOf).join('\n')]),
    '',
  ]
    .join('\n\n')
    .trimEnd()
    .concat('\n');
}

/** A file that is written by hand, with parts that are generated. */
function withGeneratedParts(path: string, replace: (text: string) => string): GeneratedFile {
  const url = new URL(`../../${path}`, import.meta.url);
  return { path, text: () => replace(readFileSync(url, 'utf8')) };
}

const origin = `http://${DEFAULT_ADDRESS.host}:${DEFAULT_ADDRESS.port.toString()}`;

const PORTS = [DEFAULT_ADDRESS.port, DEFAULT_HEALTH_PORT];

const HEALTH_URLS = PORTS.map(
  (port) => `'http://${DEFAULT_ADDRESS.host}:${port.toString()}/healthz'`,
);

/** Files that name the default address and cannot import it. */
const withDefaultAddress = (path: string, pattern: RegExp): GeneratedFile =>
  withGeneratedParts(path, (text) => text.replaceAll(pattern, origin));

/** Files outside this package that name the default address and cannot import it. */
const partly: readonly GeneratedFile[] = [
  withGeneratedParts('apps/gateway/Dockerfile', (text) =>
    text
      .replace(/(?<=\nEXPOSE )[\d ]+/u, PORTS.join(' '))
      .replace(/(?<=\[)'http:[^\]]*\/healthz'(?=\])/u, HEALTH_URLS.join(', ')),
  ),
  withDefaultAddress('apps/gateway/example/ask.mjs', /http:\/\/[\d.]+:\d+(?=\/mcp)/gu),
  withDefaultAddress('apps/gateway/example/announce.mjs', /(?<=DEFAULT_URL = ')[^']*/gu),
];

/** `config.schema.json`, the output of `gateway schema config`, the reference of all keys, and parts of files outside this package. */
export const generated: readonly GeneratedFile[] = [
  {
    path: 'packages/gateway-config/config.schema.json',
    text: () => `${JSON.stringify(createConfigJsonSchema(), null, 2)}\n`,
  },
  { path: 'docs/reference/configuration.md', text: keyReference },
  ...partly,
];
