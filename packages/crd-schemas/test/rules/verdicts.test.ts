import { defineRequirements } from '@gateway/repo-checks';
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
import { requirements } from '../../spec.requirements.ts';
import { RULES_OUTSIDE_CEL } from './rules-outside-cel.ts';
import { verdictsOf, type Verdict } from './verdicts.ts';

const requirement = defineRequirements(requirements);
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

const proveVerdicts = (verdicts: typeof all): void => {
  it.each(verdicts)('$kind through zod and CEL: $title', ({ kind, spec, refused }) => {
    expect(parsers[kind](toDocument(kind, spec)).map(formatError)).toEqual(refused);
  });
  it.each(verdicts)(
    '$kind through JSON Schema and CEL: $title',
    ({ kind, spec, refused, outside }) => {
      const { fits, broken } = bySchemaAndCel(kind, spec);
      const isAccepted = refused.length === 0 || isOnlyInTypeScript(outside);
      expect(fits && broken.length === 0).toBe(isAccepted);
      expect(refused).toEqual(expect.arrayContaining([...broken]));
    },
  );
};

const headingHas = (heading: string, id: string): boolean => heading.split(/[ ()]/).includes(id);

const provenIds = new Set<string>();

/** Proves the verdicts under a heading with the id. */
const verdictsUnder = (id: string) => (): void => {
  provenIds.add(id);
  proveVerdicts(all.filter(({ heading }) => headingHas(heading, id)));
};

describe('verdicts beside the requirements', () => {
  proveVerdicts(all.filter(({ heading }) => !/\d\//.test(heading)));
});

requirement('2.6/args', verdictsUnder('2.6/args'));
requirement('2.6/auth-forward-token', verdictsUnder('2.6/auth-forward-token'));
requirement('2.6/auth-required-audiences', verdictsUnder('2.6/auth-required-audiences'));
requirement('2.6/auth-type', verdictsUnder('2.6/auth-type'));
requirement(
  '2.6/authorization-server-exclusions',
  verdictsUnder('2.6/authorization-server-exclusions'),
);
requirement('2.6/authorization-server-scopes', verdictsUnder('2.6/authorization-server-scopes'));
requirement('2.6/auto-start-field', verdictsUnder('2.6/auto-start-field'));
requirement('2.6/command', verdictsUnder('2.6/command'));
requirement('2.6/env', verdictsUnder('2.6/env'));
requirement('2.6/family-field', verdictsUnder('2.6/family-field'));
requirement('2.6/headers', verdictsUnder('2.6/headers'));
requirement('2.6/issuer', verdictsUnder('2.6/issuer'));
requirement('2.6/timeout-field', verdictsUnder('2.6/timeout-field'));
requirement('2.6/token-exchange-connector', verdictsUnder('2.6/token-exchange-connector'));
requirement('2.6/token-exchange-endpoint', verdictsUnder('2.6/token-exchange-endpoint'));
requirement('2.6/tool-prefix-field', verdictsUnder('2.6/tool-prefix-field'));
requirement('2.6/type', verdictsUnder('2.6/type'));
requirement('2.6/url', verdictsUnder('2.6/url'));
requirement('2.7/args', verdictsUnder('2.7/args'));
requirement('2.7/argument-default-field', verdictsUnder('2.7/argument-default-field'));
requirement('2.7/argument-required-field', verdictsUnder('2.7/argument-required-field'));
requirement('2.7/argument-type', verdictsUnder('2.7/argument-type'));
requirement('2.7/condition-enforced', verdictsUnder('2.7/condition-enforced'));
requirement('2.7/condition-fields', verdictsUnder('2.7/condition-fields'));
requirement('2.7/condition-needs-expectation', verdictsUnder('2.7/condition-needs-expectation'));
requirement('2.7/condition-one-source', verdictsUnder('2.7/condition-one-source'));
requirement('2.7/expectation-fields', verdictsUnder('2.7/expectation-fields'));
requirement('2.7/for-each-as-field', verdictsUnder('2.7/for-each-as-field'));
requirement('2.7/for-each-items-field', verdictsUnder('2.7/for-each-items-field'));
requirement('2.7/for-each-steps', verdictsUnder('2.7/for-each-steps'));
requirement('2.7/on-failure-field', verdictsUnder('2.7/on-failure-field'));
requirement('2.7/output-field', verdictsUnder('2.7/output-field'));
requirement('2.7/step-allow-failure-field', verdictsUnder('2.7/step-allow-failure-field'));
requirement('2.7/step-args', verdictsUnder('2.7/step-args'));
requirement('2.7/step-condition-field', verdictsUnder('2.7/step-condition-field'));
requirement('2.7/step-exactly-one', verdictsUnder('2.7/step-exactly-one'));
requirement('2.7/step-for-each-field', verdictsUnder('2.7/step-for-each-field'));
requirement('2.7/step-id', verdictsUnder('2.7/step-id'));
requirement('2.7/step-output-field', verdictsUnder('2.7/step-output-field'));
requirement('2.7/step-parallel-field', verdictsUnder('2.7/step-parallel-field'));
requirement('2.7/step-store-field', verdictsUnder('2.7/step-store-field'));
requirement('2.7/step-tool', verdictsUnder('2.7/step-tool'));
requirement('2.7/steps', verdictsUnder('2.7/steps'));
requirement('2.7/sub-step-optional', verdictsUnder('2.7/sub-step-optional'));
requirement('2.7/sub-step-required', verdictsUnder('2.7/sub-step-required'));
requirement('7.6/args', verdictsUnder('7.6/args'));
requirement('7.6/authorization-server', verdictsUnder('7.6/authorization-server'));
requirement('7.6/command', verdictsUnder('7.6/command'));
requirement('7.6/headers', verdictsUnder('7.6/headers'));
requirement('7.6/token-exchange', verdictsUnder('7.6/token-exchange'));
requirement('7.6/url', verdictsUnder('7.6/url'));
requirement(
  '7.6/workflow-condition-expectation',
  verdictsUnder('7.6/workflow-condition-expectation'),
);
requirement('7.6/workflow-for-each-body', verdictsUnder('7.6/workflow-for-each-body'));
requirement('7.6/workflow-step-exactly-one', verdictsUnder('7.6/workflow-step-exactly-one'));
requirement('7.6/workflow-steps', verdictsUnder('7.6/workflow-steps'));
requirement('8/server-auto-start', verdictsUnder('8/server-auto-start'));
requirement('8/server-timeout', verdictsUnder('8/server-timeout'));
requirement('8/workflow-step-id', verdictsUnder('8/workflow-step-id'));
describe('the table of verdicts', () => {
  it('has headings whose requirements are proven here', () => {
    const ids = all.flatMap(({ heading }) => heading.match(/[\d.]+\/[a-z-]+/g) ?? []);
    expect([...new Set(ids)].sort()).toEqual([...provenIds].sort());
  });
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
    const alone = outside.filter(({ refused }) => refused.length === 1);
    const found = new Set(alone.map((verdict) => verdict.outside));
    // Too long a workflow for a line of a table: it has a test of its own.
    expect([...found, 'all-steps'].sort()).toEqual(RULES_OUTSIDE_CEL.map(({ id }) => id).sort());
    for (const { kind, spec } of outside) expect(bySchemaAndCel(kind, spec).broken).toEqual([]);
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
