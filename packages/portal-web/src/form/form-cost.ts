import { isJsonObject, type JsonObject, toList } from '@gateway/call-contract';

/** The cost of a subschema. One value of an enumeration, a default or an example costs 1. */
const SCHEMA_COST = 10;
/** About 500 fields, or 5,000 values: a form of that size appears within a second. */
const MAX_COST = 5_000;
/** The form library compares nested alternatives with each other, so each level at least doubles its work. */
const MAX_ALTERNATIVES_DEPTH = 4;
const MAX_DEPTH = 64;

const ALTERNATIVES = ['anyOf', 'oneOf', 'allOf'] as const;
const MEMBERS = ['properties', 'patternProperties', 'dependentSchemas'] as const;
const PARTS = ['additionalProperties', 'not', 'if', 'then', 'else', 'contains'] as const;

/** The position of a subschema in the form. */
interface Place {
  readonly depth: number;
  readonly alternatives: number;
  /** The references that lead here. */
  readonly references: readonly string[];
  /** The number of references outside the innermost list. Users add list items one at a time, so recursion through a list ends. */
  readonly outsideOfList: number;
}

const toMembers = (value: unknown): readonly unknown[] =>
  isJsonObject(value) ? Object.values(value) : [];

const resolveReference = (root: JsonObject, reference: string): unknown => {
  let found: unknown = root;
  for (const part of reference.split('/').slice(1)) {
    const name = decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~');
    if (Array.isArray(found)) found = found[Number(name)];
    else found = isJsonObject(found) && Object.hasOwn(found, name) ? found[name] : undefined;
  }
  return found;
};

/** Adds up the cost of a form, with references resolved. Stops at the limit. */
class FormCost {
  readonly #root: JsonObject;
  #cost = 0;

  constructor(root: JsonObject) {
    this.#root = root;
  }

  get isOver(): boolean {
    return this.#cost > MAX_COST;
  }

  addSchema(schema: unknown, place: Place): void {
    if (this.isOver || !isJsonObject(schema)) return;
    this.#cost += SCHEMA_COST;
    if (place.depth > MAX_DEPTH || place.alternatives > MAX_ALTERNATIVES_DEPTH)
      this.#cost = Infinity;
    this.#addValues(schema);
    this.#addReference(schema['$ref'], place);
    const inner = { ...place, depth: place.depth + 1 };
    for (const key of MEMBERS) this.#addAll(toMembers(schema[key]), inner);
    this.#addAll(
      PARTS.map((key) => schema[key]),
      inner,
    );
    const alternative = { ...inner, alternatives: place.alternatives + 1 };
    for (const key of ALTERNATIVES) this.#addAll(toList(schema[key]), alternative);
    const item = { ...inner, outsideOfList: place.references.length };
    this.#addAll([schema['items'], ...toList(schema['prefixItems'])], item);
  }

  #addAll(schemas: readonly unknown[], place: Place): void {
    for (const schema of schemas) this.addSchema(schema, place);
  }

  #addValues({ enum: values, default: value, examples }: JsonObject): void {
    const open: unknown[] = [...toList(values).slice(0, MAX_COST + 1), value, examples];
    while (open.length > 0 && !this.isOver) {
      const next = open.pop();
      if (next === undefined) continue;
      this.#cost += 1;
      const inner = Array.isArray(next) ? next : toMembers(next);
      for (const member of inner.slice(0, MAX_COST + 1)) open.push(member);
    }
  }

  /** A recursive schema is infinitely large, except through the items of a list. */
  #addReference(reference: unknown, place: Place): void {
    if (typeof reference !== 'string') return;
    const known = place.references.indexOf(reference);
    if (known >= 0) {
      if (known >= place.outsideOfList) this.#cost = Infinity;
      return;
    }
    const references = [...place.references, reference];
    this.addSchema(resolveReference(this.#root, reference), {
      ...place,
      depth: place.depth + 1,
      references,
    });
  }
}

/**
 * Returns whether rendering the form of a schema would take more than about a second: too many fields or values with all
 * references resolved, nested alternatives, or a recursive schema. The schema comes from a server and is untrusted.
 */
export const isTooLargeForForm = (schema: JsonObject): boolean => {
  const cost = new FormCost(schema);
  try {
    cost.addSchema(schema, { depth: 0, alternatives: 0, references: [], outsideOfList: 0 });
  } catch {
    // A reference is not valid percent-encoding.
    return true;
  }
  return cost.isOver;
};
