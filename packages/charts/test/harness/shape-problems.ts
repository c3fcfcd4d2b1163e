import { formatError } from '@gateway/crd-schemas';
import { declarationOf, type Field, type Shape } from './interface-fields.ts';

/** One problem of an object: the path to the value, and what is wrong with it. */
export interface Problem {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

type Path = Problem['path'];

const QUANTITY = /^[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+|[KMGTPE]i|[numkMGTPE])?$/u;

/** Aliases whose values have a form of their own. Quantities may be written as numbers too. */
const SPECIAL: Readonly<Record<string, (value: unknown) => boolean>> = {
  'api/resource Quantity': (value) =>
    typeof value === 'number' || (typeof value === 'string' && QUANTITY.test(value)),
};

const kindOf = (value: unknown): string =>
  value === null ? 'null' : Array.isArray(value) ? 'a list' : typeof value;

const isMap = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const wrong = (path: Path, expected: string, value: unknown): readonly Problem[] => [
  { path, message: `must be ${expected}, is ${kindOf(value)}` },
];

const listProblems = (value: unknown, items: Shape, path: Path): readonly Problem[] =>
  Array.isArray(value)
    ? value.flatMap((item: unknown, index) => shapeProblems(item, items, [...path, index]))
    : wrong(path, 'a list', value);

const mapProblems = (value: unknown, values: Shape, path: Path): readonly Problem[] =>
  isMap(value)
    ? Object.entries(value).flatMap(([key, item]) => shapeProblems(item, values, [...path, key]))
    : wrong(path, 'a map', value);

const fieldsProblems = (
  value: unknown,
  fields: ReadonlyMap<string, Field>,
  path: Path,
): readonly Problem[] => {
  // An interface without fields stands for any JSON.
  if (fields.size === 0) return [];
  if (!isMap(value)) return wrong(path, 'a map', value);
  const missing = [...fields]
    .filter(([name, { required }]) => required && !Object.hasOwn(value, name))
    .map(([name]) => ({ path: [...path, name], message: 'is required' }));
  const present = Object.entries(value).flatMap(([name, item]) => {
    const field = fields.get(name);
    if (field === undefined) return [{ path: [...path, name], message: 'is no field' }];
    return shapeProblems(item, field.shape, [...path, name]);
  });
  return [...missing, ...present];
};

const namedProblems = (
  value: unknown,
  { module, name }: Shape & { readonly type: 'named' },
  path: Path,
): readonly Problem[] => {
  const special = SPECIAL[`${module} ${name}`];
  if (special !== undefined)
    return special(value) ? [] : [{ path, message: `is no ${name}: ${JSON.stringify(value)}` }];
  const declaration = declarationOf(module, name);
  if (declaration === undefined) throw new Error(`kubernetes-types has no ${module} ${name}`);
  return declaration.type === 'alias'
    ? shapeProblems(value, declaration.shape, path)
    : fieldsProblems(value, declaration.fields, path);
};

const eitherProblems = (
  value: unknown,
  shapes: readonly Shape[],
  path: Path,
): readonly Problem[] => {
  const tries = shapes.map((shape) => shapeProblems(value, shape, path));
  if (tries.some((problems) => problems.length === 0)) return [];
  // The intended type is the one with nested problems.
  const inside = tries.find((problems) => problems.every((one) => one.path.length > path.length));
  return inside ?? [{ path, message: `is none of the allowed types: ${kindOf(value)}` }];
};

const literalProblems = (value: unknown, expected: string, path: Path): readonly Problem[] =>
  value === expected
    ? []
    : [{ path, message: `must be "${expected}", is ${JSON.stringify(value)}` }];

const plainProblems = (value: unknown, type: string, path: Path): readonly Problem[] =>
  typeof value === type ? [] : wrong(path, `a ${type}`, value);

/** Returns unknown fields, missing fields and values of a wrong type. */
export function shapeProblems(value: unknown, shape: Shape, path: Path = []): readonly Problem[] {
  switch (shape.type) {
    case 'literal':
      return literalProblems(value, shape.value, path);
    case 'list':
      return listProblems(value, shape.items, path);
    case 'map':
      return mapProblems(value, shape.values, path);
    case 'either':
      return eitherProblems(value, shape.shapes, path);
    case 'named':
      return namedProblems(value, shape, path);
    case 'string':
    case 'number':
    case 'boolean':
      return plainProblems(value, shape.type, path);
  }
}

/** `spec.replicas: must be a number, is string` */
export const problemText = (problem: Problem): string => formatError(problem);
