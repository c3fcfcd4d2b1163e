import type { TextBounds } from '../fields/field-facts.ts';
import type { JsonValue } from '@gateway/go-template';
import { type CelRule, type ResourceKind, listCelRules } from '../rules/cel-rules.ts';
import {
  type FieldShape,
  type ShapeByKind,
  type ObjectField,
  type ObjectShape,
  createResourceShape,
} from './resource-shape.ts';

const KINDS: readonly ResourceKind[] = ['MCPServer', 'Workflow'];

const count = (value: number): string => value.toLocaleString('en-US');

const escapeCell = (text: string): string => text.replaceAll('|', '\\|');

const formatCode = (text: string): string => `\`${escapeCell(text)}\``;

const formatLink = (name: string): string => `[${name}](#${name.toLowerCase()})`;

type Texts = { readonly [Kind in FieldShape['kind']]: (shape: ShapeByKind<Kind>) => string };

const types: Texts = {
  text: () => 'string',
  choice: ({ values }) => values.map(formatCode).join(', '),
  flag: () => 'boolean',
  integer: () => 'integer',
  list: ({ items }) => `list of ${describeType(items)}`,
  object: ({ name }) => formatLink(name),
  map: ({ values }) => `map of ${describeType(values)}`,
  mapping: () => 'map of any JSON',
  value: () => 'any JSON',
};

function describeType<Kind extends FieldShape['kind']>(
  shape: ShapeByKind<Kind> & { readonly kind: Kind },
): string {
  return types[shape.kind](shape);
}

const formatTextBounds = ({ max, pattern }: TextBounds): string =>
  `at most ${count(max)} characters${pattern === undefined ? '' : `, ${pattern.must}`}`;

const formatRange = ({ min, max }: ShapeByKind<'integer'>): string =>
  max === undefined ? `at least ${count(min ?? 0)}` : `${count(min ?? 0)} to ${count(max)}`;

const bounds: Texts = {
  text: (shape) => formatTextBounds(shape.bounds),
  choice: () => '',
  flag: () => '',
  integer: formatRange,
  list: ({ items, maxItems }) => {
    const most = maxItems === undefined ? '' : `at most ${count(maxItems)} entries`;
    return items.kind === 'text' ? `${most}; each ${formatTextBounds(items.bounds)}` : most;
  },
  object: () => '',
  map: ({ values, bounds: { key, maxEntries } }) => {
    const keys = `at most ${count(maxEntries)} entries; keys ${formatTextBounds(key)}`;
    return values.kind === 'text' ? `${keys}; values ${formatTextBounds(values.bounds)}` : keys;
  },
  mapping: () => '',
  value: () => '',
};

function formatBounds<Kind extends FieldShape['kind']>(
  shape: ShapeByKind<Kind> & { readonly kind: Kind },
): string {
  return bounds[shape.kind](shape);
}

const formatDefault = (isRequired: boolean, value: JsonValue | undefined): string => {
  if (isRequired) return 'required';
  return value === undefined ? '' : formatCode(JSON.stringify(value));
};

const formatRow = ({ name, shape, isRequired, default: value, about = '' }: ObjectField): string =>
  `| ${[formatCode(name), describeType(shape), formatDefault(isRequired, value), escapeCell(about), escapeCell(formatBounds(shape))].join(' | ')} |`;

const formatTable = (fields: readonly ObjectField[]): string =>
  [
    '| field | type | default | meaning | bounds |',
    '| --- | --- | --- | --- | --- |',
    ...fields.map(formatRow),
  ].join('\n');

/** Returns every object in a shape, including itself, without duplicates, in the order of first occurrence. */
const addObjects = (shape: FieldShape, found: Map<string, ObjectShape>): void => {
  if (shape.kind === 'list') addObjects(shape.items, found);
  if (shape.kind === 'map') addObjects(shape.values, found);
  if (shape.kind !== 'object' || found.has(shape.name)) return;
  found.set(shape.name, shape);
  for (const field of shape.fields) addObjects(field.shape, found);
};

const formatObjectSection = ({ name, fields }: ObjectShape): string => {
  const described = fields.filter(({ about }) => about !== undefined);
  const others = fields
    .filter(({ about }) => about === undefined)
    .map((field) => formatCode(field.name));
  return [
    `### ${name}`,
    '',
    formatTable(described),
    ...(others.length === 0
      ? []
      : ['', `Written by a cluster, accepted and not read: ${others.join(', ')}.`]),
  ].join('\n');
};

const formatPlace = ({ path, fieldPath = '' }: CelRule): string =>
  formatCode(`${path.join('.').replaceAll('.[]', '[]')}${fieldPath}`);

/** Merges a rule that applies at several places into one row. */
const formatRuleRows = (rules: readonly CelRule[]): readonly string[] =>
  [...new Set(rules.map(({ id }) => id))].map((id) => {
    const places = rules.filter((rule) => rule.id === id);
    const [{ message, rule } = { message: '', rule: '' }] = places;
    return `| ${places.map(formatPlace).join('<br>')} | ${escapeCell(message)} | ${formatCode(rule)} |`;
  });

const formatRulesSection = (kind: ResourceKind): string =>
  [
    `### Rules of ${kind}`,
    '',
    'Rules between fields. The gateway applies the same expressions to files as a cluster does.',
    '',
    '| at | message | rule (CEL, `self` is the object of the field) |',
    '| --- | --- | --- |',
    ...formatRuleRows(listCelRules(kind)),
  ].join('\n');

const formatKindSection = (kind: ResourceKind, shown: Map<string, ObjectShape>): string => {
  const { about, metadata, spec, status } = createResourceShape(kind);
  const before = new Set(shown.keys());
  for (const part of [metadata, spec, status]) addObjects(part, shown);
  const own = [...shown.values()].filter(({ name }) => !before.has(name));
  return [
    `## ${kind}`,
    '',
    about,
    '',
    `\`metadata\` is a ${formatLink(metadata.name)}, \`spec\` a ${formatLink(spec.name)}, \`status\` a ${formatLink(status.name)}.`,
    '',
    own.map(formatObjectSection).join('\n\n'),
    '',
    formatRulesSection(kind),
  ].join('\n');
};

/**
 * Returns the reference of all resources in Markdown: each field with type, default, meaning and bounds; each rule. @spec
 * §2.6, §2.7
 */
export const renderFieldReference = (): string => {
  const shown = new Map<string, ObjectShape>();
  return [
    '# Resources: every field',
    '',
    'Generated from the definitions that the gateway parses documents with. Unknown fields are refused. For use see [Configuration](../configuration.md) and [Workflows](../workflows.md).',
    '',
    KINDS.map((kind) => formatKindSection(kind, shown)).join('\n\n'),
    '',
  ].join('\n');
};
