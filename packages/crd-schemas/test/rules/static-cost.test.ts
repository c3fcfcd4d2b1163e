import { describe, expect, it } from 'vitest';
import {
  listCelRules,
  createCustomResourceDefinition,
  type ResourceKind,
} from '../../src/index.ts';
import { schemasTo, staticCost, type Schema } from './static-cost.ts';

/** Of the API server: for one rule, and for all rules of a resource. */
const MOST_FOR_A_RULE = 10_000_000;
const MOST_FOR_A_RESOURCE = 100_000_000;

interface Definition {
  readonly spec: {
    readonly versions: readonly [{ readonly schema: { readonly openAPIV3Schema: Schema } }];
  };
}

const schemaIn = (definition: unknown): Schema =>
  (definition as Definition).spec.versions[0].schema.openAPIV3Schema;

const schemas: Readonly<Record<ResourceKind, Schema>> = {
  MCPServer: schemaIn(createCustomResourceDefinition('MCPServer')),
  Workflow: schemaIn(createCustomResourceDefinition('Workflow')),
};

const costsOf = (kind: ResourceKind) =>
  listCelRules(kind).map((rule) => ({
    id: rule.id,
    at: rule.path.join('.'),
    ...staticCost(rule, schemas[kind]),
  }));

const totalOf = (kind: ResourceKind): number =>
  costsOf(kind).reduce((sum, { once, times }) => sum + once * times, 0);

describe('the static cost of the rules', () => {
  it('is for servers what the API server estimates', () => {
    expect(costsOf('MCPServer').map(({ id, once, times }) => [id, once, times])).toEqual([
      ['command-required', 6, 1],
      ['url-required', 10, 1],
      ['args-only-stdio', 11, 1],
      ['cwd-only-stdio', 11, 1],
      ['start-timeout-only-stdio', 11, 1],
      ['headers-only-remote', 7, 1],
      ['auth-only-remote', 31, 1],
      ['authorization-server-needs-oauth', 6, 1],
      ['authorization-server-excludes-forward-token', 6, 1],
      ['authorization-server-excludes-token-exchange', 10, 1],
      ['token-endpoint-required', 5, 1],
      ['connector-required', 5, 1],
      ['env-from-only-stdio', 11, 1],
      ['headers-from-only-remote', 7, 1],
      ['env-from-excludes-env', 712, 1],
      ['env-from-unique', 455_238, 1],
      ['headers-from-excludes-headers', 712, 1],
      ['headers-from-unique', 1_299_014, 1],
      ['reference-has-one-object', 2, 64],
      ['reference-has-one-object', 2, 64],
    ]);
    expect(totalOf('MCPServer')).toBe(1_756_069);
  });
  it('is for workflows what the API server estimates', () => {
    expect(new Map(costsOf('Workflow').map(({ id, once }) => [id, once]))).toEqual(
      new Map([
        ['steps-not-empty', 14],
        ['step-kind-required', 3],
        ['tool-excludes-composites', 6],
        ['composites-exclude-each-other', 4],
        ['for-each-not-empty', 18],
        ['parallel-not-empty', 14],
        ['condition-source-required', 3],
        ['condition-template-alone', 6],
        ['condition-one-source', 4],
        ['condition-needs-expectation', 7],
        ['expect-not-empty', 13],
        ['expect-not-not-empty', 13],
      ]),
    );
    expect(new Map(costsOf('Workflow').map(({ at, times }) => [at, times]))).toEqual(
      new Map([
        ['spec', 1],
        ['spec.steps.[]', 1_000],
        ['spec.steps.[].condition', 1_000],
        ['spec.steps.[].forEach.steps.[].condition', 256_000],
        ['spec.steps.[].parallel.[].condition', 256_000],
        ['spec.onFailure.[].condition', 256],
      ]),
    );
    expect(totalOf('Workflow')).toBe(23_654_790);
  });
  it.each(['MCPServer', 'Workflow'] as const)('stays inside the budgets for a %s', (kind) => {
    expect(Math.max(...costsOf(kind).map(({ once, times }) => once * times))).toBeLessThan(
      MOST_FOR_A_RULE,
    );
    expect(totalOf(kind)).toBeLessThan(MOST_FOR_A_RESOURCE);
  });
});

/** Where below a schema something may be of any size. */
const unboundedIn = (schema: Schema, path: string): readonly string[] => {
  const isMap = schema.type === 'object' && schema.properties === undefined;
  const isUnbounded =
    (schema.type === 'string' && schema.maxLength === undefined && schema.enum === undefined) ||
    (schema.type === 'array' && schema.maxItems === undefined) ||
    (isMap && schema.maxProperties === undefined);
  return [
    ...(isUnbounded ? [path] : []),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, below]) =>
      unboundedIn(below, `${path}.${name}`),
    ),
    ...[schema.items, schema.additionalProperties].flatMap((below) =>
      below === undefined ? [] : unboundedIn(below, `${path}[]`),
    ),
  ];
};

describe('what stands under a rule', () => {
  it.each(['MCPServer', 'Workflow'] as const)('is bounded in a %s', (kind) => {
    const places = listCelRules(kind).map(({ path }) => path);
    for (const path of places) {
      const schema = schemasTo(schemas[kind], path).at(-1) ?? {};
      expect(unboundedIn(schema, path.join('.'))).toEqual([]);
    }
  });
  it('is what the walk takes for unbounded otherwise', () => {
    const schema: Schema = {
      type: 'object',
      properties: { list: { type: 'array', items: { type: 'string' } }, map: { type: 'object' } },
    };
    expect(unboundedIn(schema, 'spec')).toEqual(['spec.list', 'spec.list[]', 'spec.map']);
  });
  it('is there, and of a type that the API server knows', () => {
    const free = { 'x-kubernetes-preserve-unknown-fields': true };
    const root = (member: Schema): Schema => ({ type: 'object', properties: { member } });
    const costOf = (member: Schema) =>
      staticCost({ rule: 'has(self.member)', path: [] }, root(member));
    expect(() => costOf(free)).toThrow("undefined field 'member'");
    expect(() => costOf({ type: 'object', additionalProperties: free })).toThrow(
      "undefined field 'member'",
    );
    expect(costOf({ type: 'object', ...free })).toEqual({ once: 1, times: 1 });
    expect(() =>
      staticCost({ rule: 'has(self.other)', path: [] }, root({ type: 'string' })),
    ).toThrow("undefined field 'other'");
  });
  it('is asked about with operations of a known cost', () => {
    const root: Schema = { type: 'object', properties: { name: { type: 'string', maxLength: 5 } } };
    const costOf = (rule: string) => () => staticCost({ rule, path: [] }, root);
    expect(costOf(`self.name.matches('^a')`)).toThrow('no cost of matches()');
    expect(costOf(`int(self.name) > 0`)).toThrow('no cost of int()');
  });
});
