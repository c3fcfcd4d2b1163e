import type { TextBounds } from '../fields/field-facts.ts';
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

/** Returns the rule of a text as a sentence; JSON Schemas and refusals have the lengths. */
const formatText = ({ pattern }: TextBounds): string =>
  pattern === undefined ? '' : `${pattern.must.charAt(0).toUpperCase()}${pattern.must.slice(1)}.`;

const formatRange = ({ min, max }: ShapeByKind<'integer'>): string => {
  if (max !== undefined) return `${count(min ?? 0)} to ${count(max)}.`;
  return min === undefined || min === 0 ? '' : `At least ${count(min)}.`;
};

const formatBounds = (shape: FieldShape): string => {
  if (shape.kind === 'text') return formatText(shape.bounds);
  return shape.kind === 'integer' ? formatRange(shape) : '';
};

const formatType = ({ shape, isRequired, default: value }: ObjectField): string => {
  const type = describeType(shape);
  if (isRequired) return `${type}, required`;
  return value === undefined ? type : `${type}, default ${formatCode(JSON.stringify(value))}`;
};

const formatField = (field: ObjectField): string => {
  const meaning = `${field.about ?? ''} ${formatBounds(field.shape)}`.trim();
  return `- ${formatCode(field.name)} (${formatType(field)}): ${meaning}`;
};

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
    ...described.map(formatField),
    ...(others.length === 0
      ? []
      : ['', `Written by a cluster, accepted and not read: ${others.join(', ')}.`]),
  ].join('\n');
};

const formatPlace = ({ path, fieldPath = '' }: CelRule): string =>
  formatCode(`${path.join('.').replaceAll('.[]', '[]')}${fieldPath}`);

/** The first place, and how many others the rule has. */
const formatPlaces = ([first, ...others]: readonly CelRule[]): string => {
  const place = first === undefined ? '' : formatPlace(first);
  return others.length === 0 ? place : `${place} and ${count(others.length)} more`;
};

/** Merges a rule that applies at several places into one line. */
const formatRuleRows = (rules: readonly CelRule[]): readonly string[] =>
  [...new Set(rules.map(({ id }) => id))].map((id) => {
    const places = rules.filter((rule) => rule.id === id);
    return `- ${formatPlaces(places)}: ${places[0]?.message ?? ''}`;
  });

const formatRulesSection = (kind: ResourceKind): string =>
  [
    `### Rules of ${kind}`,
    '',
    'Messages of the rules between fields, with their places. The CustomResourceDefinition has them in CEL, and the gateway applies the same to files.',
    '',

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
 * Returns the reference of all resources in Markdown: each field with type, default and meaning; each rule. @spec
 * §2.6, §2.7
 */
export const renderFieldReference = (): string => {
  const shown = new Map<string, ObjectShape>();
  return [
    '# Resources: every field',
    '',
    'Generated from the definitions that the gateway parses documents with. Unknown fields are refused. `gateway schema` prints the lengths and patterns of texts and keys; a refusal names them. For use see [Configuration](../configuration.md) and [Workflows](../workflows.md).',
    '',
    KINDS.map((kind) => formatKindSection(kind, shown)).join('\n\n'),
    '',
  ].join('\n');
};
