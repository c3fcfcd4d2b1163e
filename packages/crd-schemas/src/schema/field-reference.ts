import type { TextBounds } from '../fields/field-facts.ts';
import type { JsonValue } from '@gateway/go-template';
import { type CelRule, type ResourceKind, listCelRules } from '../rules/cel-rules.ts';
import {
  type FieldShape,
  type ObjectField,
  type ObjectShape,
  createResourceShape,
} from './resource-shape.ts';

const KINDS: readonly ResourceKind[] = ['MCPServer', 'Workflow'];

const count = (value: number): string => value.toLocaleString('en-US');

const cell = (text: string): string => text.replaceAll('|', '\\|');

const code = (text: string): string => `\`${cell(text)}\``;

const linkTo = (name: string): string => `[${name}](#${name.toLowerCase()})`;

type ShapeOf<Kind extends FieldShape['kind']> = Extract<FieldShape, { readonly kind: Kind }>;
type Texts = { readonly [Kind in FieldShape['kind']]: (shape: ShapeOf<Kind>) => string };

const types: Texts = {
  text: () => 'string',
  choice: ({ values }) => values.map(code).join(', '),
  flag: () => 'boolean',
  integer: () => 'integer',
  list: ({ items }) => `list of ${typeText(items)}`,
  object: ({ name }) => linkTo(name),
  map: ({ values }) => `map of ${typeText(values)}`,
  mapping: () => 'map of any JSON',
  value: () => 'any JSON',
};

function typeText<Kind extends FieldShape['kind']>(
  shape: ShapeOf<Kind> & { readonly kind: Kind },
): string {
  return types[shape.kind](shape);
}

const charactersText = ({ max, pattern }: TextBounds): string =>
  `at most ${count(max)} characters${pattern === undefined ? '' : `, ${pattern.must}`}`;

const rangeText = ({ min, max }: ShapeOf<'integer'>): string =>
  max === undefined ? `at least ${count(min ?? 0)}` : `${count(min ?? 0)} to ${count(max)}`;

const bounds: Texts = {
  text: (shape) => charactersText(shape.bounds),
  choice: () => '',
  flag: () => '',
  integer: rangeText,
  list: ({ items, maxItems }) => {
    const most = maxItems === undefined ? '' : `at most ${count(maxItems)} entries`;
    return items.kind === 'text' ? `${most}; each ${charactersText(items.bounds)}` : most;
  },
  object: () => '',
  map: ({ values, bounds: { key, maxEntries } }) => {
    const keys = `at most ${count(maxEntries)} entries; keys ${charactersText(key)}`;
    return values.kind === 'text' ? `${keys}; values ${charactersText(values.bounds)}` : keys;
  },
  mapping: () => '',
  value: () => '',
};

function boundsText<Kind extends FieldShape['kind']>(
  shape: ShapeOf<Kind> & { readonly kind: Kind },
): string {
  return bounds[shape.kind](shape);
}

const defaultText = (isRequired: boolean, value: JsonValue | undefined): string => {
  if (isRequired) return 'required';
  return value === undefined ? '' : code(JSON.stringify(value));
};

const row = ({ name, shape, isRequired, default: value, about = '' }: ObjectField): string =>
  `| ${[code(name), typeText(shape), defaultText(isRequired, value), cell(about), cell(boundsText(shape))].join(' | ')} |`;

const table = (fields: readonly ObjectField[]): string =>
  [
    '| field | type | default | meaning | bounds |',
    '| --- | --- | --- | --- | --- |',
    ...fields.map(row),
  ].join('\n');

/** Returns every object in a shape, including itself, without duplicates, in the order of first occurrence. */
const objectsIn = (shape: FieldShape, found: Map<string, ObjectShape>): void => {
  if (shape.kind === 'list') objectsIn(shape.items, found);
  if (shape.kind === 'map') objectsIn(shape.values, found);
  if (shape.kind !== 'object' || found.has(shape.name)) return;
  found.set(shape.name, shape);
  for (const field of shape.fields) objectsIn(field.shape, found);
};

const objectSection = ({ name, fields }: ObjectShape): string => {
  const described = fields.filter(({ about }) => about !== undefined);
  const others = fields.filter(({ about }) => about === undefined).map((field) => code(field.name));
  return [
    `### ${name}`,
    '',
    table(described),
    ...(others.length === 0
      ? []
      : ['', `Written by a cluster, accepted and not read: ${others.join(', ')}.`]),
  ].join('\n');
};

const placeText = ({ path, fieldPath = '' }: CelRule): string =>
  code(`${path.join('.').replaceAll('.[]', '[]')}${fieldPath}`);

/** Merges a rule that applies at several places into one row. */
const ruleRows = (rules: readonly CelRule[]): readonly string[] =>
  [...new Set(rules.map(({ id }) => id))].map((id) => {
    const places = rules.filter((rule) => rule.id === id);
    const [{ message, rule } = { message: '', rule: '' }] = places;
    return `| ${places.map(placeText).join('<br>')} | ${cell(message)} | ${code(rule)} |`;
  });

const rulesSection = (kind: ResourceKind): string =>
  [
    `### Rules of ${kind}`,
    '',
    'Rules between fields. The gateway applies the same expressions to files as a cluster does.',
    '',
    '| at | message | rule (CEL, `self` is the object of the field) |',
    '| --- | --- | --- |',
    ...ruleRows(listCelRules(kind)),
  ].join('\n');

const kindSection = (kind: ResourceKind, shown: Map<string, ObjectShape>): string => {
  const { about, metadata, spec, status } = createResourceShape(kind);
  const before = new Set(shown.keys());
  for (const part of [metadata, spec, status]) objectsIn(part, shown);
  const own = [...shown.values()].filter(({ name }) => !before.has(name));
  return [
    `## ${kind}`,
    '',
    about,
    '',
    `\`metadata\` is a ${linkTo(metadata.name)}, \`spec\` a ${linkTo(spec.name)}, \`status\` a ${linkTo(status.name)}.`,
    '',
    own.map(objectSection).join('\n\n'),
    '',
    rulesSection(kind),
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
    KINDS.map((kind) => kindSection(kind, shown)).join('\n\n'),
    '',
  ].join('\n');
};
