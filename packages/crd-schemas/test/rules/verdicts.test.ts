import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import {
  listCelRules,
  evaluateRules,
  createJsonSchema,
  parseMcpServer,
  parseWorkflow,
  formatError,
  type ResourceKind,
  type ValidationIssue,
} from '../../src/index.ts';
import { RULES_OUTSIDE_CEL } from './rules-outside-cel.ts';
import { verdictsOf, type Verdict } from './verdicts.ts';

const KINDS = ['MCPServer', 'Workflow'] as const;
const tables: Readonly<Record<ResourceKind, readonly Verdict[]>> = {
  MCPServer: verdictsOf('MCPServer'),
  Workflow: verdictsOf('Workflow'),
};
const all = KINDS.flatMap((kind) => tables[kind].map((verdict) => ({ kind, ...verdict })));

const toDocument = (kind: ResourceKind, spec: unknown) => ({
  apiVersion: 'gateway.internal/v1alpha1',
  kind,
  metadata: { name: 'any' },
  spec: structuredClone(spec),
});

/** The issues of zod + CEL, and of the rules outside CEL. */
const parsers: Readonly<Record<ResourceKind, (document: unknown) => readonly ValidationIssue[]>> = {
  MCPServer: (document) => {
    const parsed = parseMcpServer(document);
    return parsed.ok ? [] : parsed.error;
  },
  Workflow: (document) => {
    const parsed = parseWorkflow(document);
    return parsed.ok ? [] : parsed.error;
  },
};

/** As the API server does it: the schema, then its defaults, then the rules. */
const ajv = new Ajv2020({ useDefaults: true });
const schemas = {
  MCPServer: ajv.compile(createJsonSchema('MCPServer')),
  Workflow: ajv.compile(createJsonSchema('Workflow')),
} as const satisfies Record<ResourceKind, unknown>;

const bySchemaAndCel = (kind: ResourceKind, spec: unknown) => {
  const document = toDocument(kind, spec);
  const fits = schemas[kind](document);
  return { fits, broken: evaluateRules(kind, document.spec).map(formatError) };
};

const isOnlyInTypeScript = (outside: string | undefined): boolean =>
  RULES_OUTSIDE_CEL.some(({ id, isInJsonSchema }) => id === outside && !isInJsonSchema);

describe.each(KINDS)('the verdict on a %s', (kind) => {
  it.each(tables[kind])('through zod and CEL: $title', ({ spec, refused }) => {
    expect(parsers[kind](toDocument(kind, spec)).map(formatError)).toEqual(refused);
  });
  it.each(tables[kind])('through JSON Schema and CEL: $title', ({ spec, refused, outside }) => {
    const { fits, broken } = bySchemaAndCel(kind, spec);
    const isAccepted = refused.length === 0 || isOnlyInTypeScript(outside);
    expect(fits && broken.length === 0).toBe(isAccepted);
    expect(refused).toEqual(expect.arrayContaining([...broken]));
  });
});

describe('the table of verdicts', () => {
  it('has at least 150 documents, of which at least 50 are valid', () => {
    expect(all.length).toBeGreaterThanOrEqual(150);
    expect(all.filter(({ refused }) => refused.length === 0).length).toBeGreaterThanOrEqual(50);
    expect(new Set(all.map(({ kind, title }) => `${kind} ${title}`)).size).toBe(all.length);
  });
  it.each(
    KINDS.flatMap((kind) => listCelRules(kind).map(({ id, message }) => ({ kind, id, message }))),
  )('breaks the rule $id of $kind alone and together with others', ({ kind, message }) => {
    const breaking = tables[kind].filter(({ refused }) =>
      refused.some((line) => line.endsWith(`: ${message}`)),
    );
    const alone = breaking.filter(({ refused }) => refused.length === 1);
    expect(alone.length).toBeGreaterThan(0);
    expect(breaking.length).toBeGreaterThan(alone.length);
  });
  it('breaks every rule outside CEL alone', () => {
    const outside = all.filter((verdict) => verdict.outside !== undefined);
    const found = new Set(outside.map((verdict) => verdict.outside));
    // Too long a workflow for a line of a table: it has a test of its own.
    expect([...found, 'all-steps'].sort()).toEqual(RULES_OUTSIDE_CEL.map(({ id }) => id).sort());
    for (const { kind, spec, refused } of outside) {
      expect(refused).toHaveLength(1);
      expect(bySchemaAndCel(kind, spec).broken).toEqual([]);
    }
  });
  it('accepts with the schema, and refuses, a workflow of too many steps', () => {
    const sub = (id: string) => ({ id, tool: 't' });
    const group = (_: unknown, at: number) => ({
      id: `p${String(at)}`,
      parallel: Array.from({ length: 250 }, (_sub, index) =>
        sub(`s${String(at)}-${String(index)}`),
      ),
    });
    const spec = { steps: Array.from({ length: 20 }, group) };
    expect(bySchemaAndCel('Workflow', spec)).toEqual({ fits: true, broken: [] });
    expect(parsers.Workflow(toDocument('Workflow', spec)).map(formatError)).toEqual([
      'spec.steps: workflow must have at most 5000 steps, sub-steps and handlers',
    ]);
  });
});
