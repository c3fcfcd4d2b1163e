import { TemplateTime, type TemplateValue } from '../../values/template-value.ts';

/** The kinds of values that templates distinguish. */
export type ValueKind = 'bool' | 'list' | 'map' | 'null' | 'number' | 'string' | 'time';

const OF_SCALAR = { boolean: 'bool', number: 'number', string: 'string' } as const;

/** Returns the kind of a value, as messages name it. */
export const kindOfValue = (value: TemplateValue): ValueKind => {
  if (value === null) return 'null';
  if (typeof value !== 'object') return OF_SCALAR[typeof value as keyof typeof OF_SCALAR];
  if (Array.isArray(value)) return 'list';
  return value instanceof TemplateTime ? 'time' : 'map';
};

/** The types of Go that values have, by their kind. */
export const GO_TYPES: Readonly<Record<ValueKind, string>> = {
  bool: 'bool',
  list: '[]interface {}',
  map: 'map[string]interface {}',
  null: '<nil>',
  number: 'float64',
  string: 'string',
  time: 'time.Time',
};
