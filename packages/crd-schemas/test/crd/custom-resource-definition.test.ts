import { defineRequirements } from '@gateway/repo-checks';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { requirements } from '../../spec.requirements.ts';
import {
  listCelRules,
  formatCrd,
  createCustomResourceDefinition,
  type CustomResourceKind,
} from '../../src/index.ts';

const requirement = defineRequirements(requirements);
const KINDS = ['MCPServer', 'Workflow'] as const;

type Kind = CustomResourceKind;

/** A mapping in which every member is taken for one: what stands where is what these tests ask. */
interface Tree {
  readonly [key: string]: Tree;
}

const crd = (kind: Kind, apiGroup?: string): Tree =>
  createCustomResourceDefinition(
    kind,
    apiGroup === undefined ? {} : { apiGroup },
  ) as unknown as Tree;

const toCelRules = (tree: Tree, ...path: readonly string[]): Tree =>
  path.reduce((member, key) => member[key] ?? {}, tree);

const versionOf = (kind: Kind): Tree => toCelRules(crd(kind), 'spec', 'versions', '0');
const createSchema = (kind: Kind): Tree => toCelRules(versionOf(kind), 'schema', 'openAPIV3Schema');
/** A field below `spec`: names are members of objects, `[]` and `{}` are the items of a list and of a map. */
const fieldOf = (kind: Kind, ...path: readonly string[]): Tree =>
  path.reduce(
    (schema, name) =>
      name === '[]'
        ? toCelRules(schema, 'items')
        : toCelRules(schema, ...(name === '{}' ? ['additionalProperties'] : ['properties', name])),
    toCelRules(createSchema(kind), 'properties', 'spec'),
  );

/** The places below a schema that may be of any size. */
const listUnbounded = (schema: Tree, path: string): readonly string[] => {
  const type = schema['type'] as unknown;
  const isMap = type === 'object' && schema['properties'] === undefined;
  const bound = { string: 'maxLength', array: 'maxItems', object: 'maxProperties' }[String(type)];
  const isBounded = bound === undefined || bound in schema || 'enum' in schema;
  const { properties = {}, items, additionalProperties } = schema;
  const children = {
    ...properties,
    ...(items && { items }),
    ...(additionalProperties && { additionalProperties }),
  };
  return [
    ...(isBounded || (type === 'object' && !isMap) ? [] : [path]),
    ...Object.entries(children).flatMap(([name, child]) => listUnbounded(child, `${path}.${name}`)),
  ];
};

/** Every entry of `x-kubernetes-validations` in a value. */
const validationsIn = (value: unknown): readonly unknown[] => {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) =>
    key === 'x-kubernetes-validations' ? (member as unknown[]) : validationsIn(member),
  );
};

requirement('9.1/group-version', () => {
  it.each(KINDS)('names the group and the version of %s', (kind) => {
    expect(crd(kind)).toMatchObject({
      metadata: { name: `${kind.toLowerCase()}s.gateway.internal` },
      spec: {
        group: 'gateway.internal',
        scope: 'Namespaced',
        versions: [{ name: 'v1alpha1', served: true, storage: true, subresources: { status: {} } }],
      },
    });
  });
});

requirement('1.5/api-group', () => {
  it('takes another group where the resource is named after it, and nowhere else', () => {
    const other = crd('Workflow', 'tools.example.com');
    expect(other).toEqual({
      ...crd('Workflow'),
      metadata: { name: 'workflows.tools.example.com' },
      spec: { ...crd('Workflow')['spec'], group: 'tools.example.com' },
    });
  });
});

describe('a CustomResourceDefinition', () => {
  it('has the names by which clusters know the kinds', () => {
    expect(toCelRules(crd('MCPServer'), 'spec', 'names')).toEqual({
      kind: 'MCPServer',
      listKind: 'MCPServerList',
      plural: 'mcpservers',
      singular: 'mcpserver',
      shortNames: ['mcps'],
    });
    expect(toCelRules(crd('Workflow'), 'spec', 'names')).toEqual({
      kind: 'Workflow',
      listKind: 'WorkflowList',
      plural: 'workflows',
      singular: 'workflow',
      shortNames: ['wf'],
    });
  });

  it('of runs has names, and no status of its own', () => {
    const { names, versions } = toCelRules(crd('WorkflowExecution'), 'spec');
    expect(names).toMatchObject({ plural: 'workflowexecutions', shortNames: ['wfe'] });
    const version = toCelRules(versions ?? {}, '0');
    expect(Object.keys(version)).not.toContain('subresources');
    expect(parse(formatCrd('WorkflowExecution'))).toEqual(crd('WorkflowExecution'));
  });

  it('shows these columns', () => {
    const columns = (kind: Kind) =>
      Object.values(toCelRules(versionOf(kind), 'additionalPrinterColumns')).map((column) =>
        JSON.stringify(Object.values(column)),
      );
    expect(columns('MCPServer')).toEqual([
      '["Type","string",".spec.type"]',
      '["State","string",".status.state"]',
      '["Tools","integer",".status.tools"]',
      '["Reason","string",".status.conditions[?(@.type==\\"Ready\\")].reason"]',
      '["Age","date",".metadata.creationTimestamp"]',
      '["AutoStart","boolean",".spec.autoStart",1]',
      '["URL","string",".spec.url",1]',
      '["Message","string",".status.conditions[?(@.type==\\"Ready\\")].message",1]',
    ]);
    expect(columns('Workflow')).toEqual([
      '["Valid","boolean",".status.valid"]',
      '["Steps","integer",".status.stepCount"]',
      '["Age","date",".metadata.creationTimestamp"]',
      '["Problem","string",".status.validationErrors[0]",1]',
    ]);
    expect(columns('WorkflowExecution')).toEqual([
      '["Workflow","string",".spec.workflowName"]',
      '["State","string",".spec.status"]',
      '["Started","date",".spec.startedAt"]',
      '["Duration(ms)","integer",".spec.durationMs"]',
      '["Error","string",".spec.error",1]',
    ]);
  });

  it('says of fields what the parser says', () => {
    expect(toCelRules(createSchema('MCPServer'), 'properties', 'spec', 'required')).toEqual([
      'type',
    ]);
    expect(fieldOf('MCPServer', 'timeout')).toEqual({
      description: 'Connection timeout for remote operations, in seconds.',
      type: 'integer',
      format: 'int32',
      minimum: 1,
      maximum: 300,
      default: 30,
    });
    expect(fieldOf('MCPServer', 'autoStart')).toMatchObject({ type: 'boolean', default: false });
    expect(fieldOf('MCPServer', 'type')).toMatchObject({
      enum: ['stdio', 'streamable-http', 'sse'],
    });
    expect(fieldOf('MCPServer', 'toolPrefix')).toMatchObject({
      type: 'string',
      minLength: 1,
      maxLength: 128,
      pattern: '^[a-zA-Z][a-zA-Z0-9_-]*$',
    });
    expect(fieldOf('MCPServer', 'auth', 'tokenExchange', 'scopes')).toMatchObject({
      default: 'openid profile email groups',
    });
  });

  it('leaves free-form values alone, scalars too, and refuses no list for them', () => {
    expect(fieldOf('Workflow', 'args', '{}', 'default')).toEqual({
      description: 'Used when the caller omits the argument. Must have the type of the argument.',
      'x-kubernetes-preserve-unknown-fields': true,
    });
    expect(fieldOf('Workflow', 'output')).toEqual({
      description: 'Template of the returned document, in place of the default one.',
      type: 'object',
      maxProperties: 49_999,
      'x-kubernetes-preserve-unknown-fields': true,
    });
  });

  it('has no fields that only exist to be refused', () => {
    const steps = toCelRules(fieldOf('Workflow', 'steps', '[]'), 'properties');
    const subSteps = toCelRules(fieldOf('Workflow', 'steps', '[]', 'parallel', '[]'), 'properties');
    expect(Object.keys(steps)).toContain('forEach');
    expect(Object.keys(subSteps)).toContain('tool');
    expect(Object.keys(subSteps)).not.toContain('forEach');
  });
});

describe.each(KINDS)('the schema of %s', (kind) => {
  it('is bounded everywhere, so that the API server can estimate the cost of rules', () => {
    expect(listUnbounded(fieldOf(kind), 'spec')).toEqual([]);
  });

  it('carries every rule, where it hangs', () => {
    const wanted = listCelRules(kind).map(({ path: _path, id: _id, ...validation }) => validation);
    const byText = (a: unknown, b: unknown) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1);
    expect([...validationsIn(createSchema(kind))].sort(byText)).toEqual([...wanted].sort(byText));
  });

  it('is the same as YAML', () => {
    expect(parse(formatCrd(kind))).toEqual(crd(kind));
    expect(parse(formatCrd(kind), { version: '1.1' })).toEqual(crd(kind));
  });
});
