import { readFileSync } from 'node:fs';
import { openSharedCluster, type Cluster, type ClusterObject } from '@gateway/test-peers';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { listCelRules, type ResourceKind } from '../../src/index.ts';
import { toDocument, refusalOf } from '../documents.ts';
import { verdictsOf } from '../rules/verdicts.ts';

const KINDS = ['MCPServer', 'Workflow'] as const;
const PLURAL = {
  MCPServer: 'mcpservers',
  Workflow: 'workflows',
  WorkflowExecution: 'workflowexecutions',
} as const;
const DEFINED = [...KINDS, 'WorkflowExecution'] as const;

interface Refusal {
  readonly details?: {
    readonly causes?: readonly { readonly field?: string; readonly message: string }[];
  };
}

interface Stored {
  readonly status: { readonly conditions: readonly { type: string; status: string }[] };
}

let cluster: Cluster;
let namespace: string;

const definitionOf = (kind: keyof typeof PLURAL): ClusterObject => {
  const file = new URL(`../../generated/${PLURAL[kind]}.crd.yaml`, import.meta.url);
  return parse(readFileSync(file, 'utf8')) as ClusterObject;
};

const collection = (kind: ResourceKind): string =>
  `/apis/gateway.internal/v1alpha1/namespaces/${namespace}/${PLURAL[kind]}`;

beforeAll(async () => {
  cluster = await openSharedCluster();
  namespace = await cluster.namespace();
  for (const kind of DEFINED) {
    await cluster.define(definitionOf(kind));
  }
});

/** Creates a document as `kubectl` does, which refuses unknown fields, without storing it. */
const dryRun = (kind: ResourceKind, spec: unknown) =>
  cluster.admin.request('POST', `${collection(kind)}?dryRun=All&fieldValidation=Strict`, {
    content: {
      apiVersion: 'gateway.internal/v1alpha1',
      kind,
      metadata: { name: 'any', namespace },
      spec,
    },
  });

const messages = KINDS.flatMap((kind) => listCelRules(kind).map(({ message }) => message));

const isOfRule = (line: string): boolean =>
  messages.includes(line.slice(line.indexOf(': ') + ': '.length));

/** The lines of the rules that the API server states, as the gateway writes them. */
const linesOfRules = (body: unknown): readonly string[] =>
  ((body as Refusal).details?.causes ?? []).flatMap(({ field, message }) => {
    const stated = messages.filter((text) => message.endsWith(`: ${text}`));
    const [longest] = stated.toSorted((one, other) => other.length - one.length);
    return longest === undefined ? [] : [`${field ?? ''}: ${longest}`];
  });

// The API server refuses a schema that is not structural and rules whose estimated cost exceeds its budget.
it.each(DEFINED)('the definition of %s is established with a structural schema', async (kind) => {
  const { status } = (await cluster.admin.read(definitionOf(kind))) as unknown as Stored;
  const conditions = status.conditions.map(({ type, status: value }) => `${type}=${value}`);
  expect(conditions.toSorted()).toEqual(['Established=True', 'NamesAccepted=True']);
});

describe.each(KINDS)('the definition of %s', (kind) => {
  it.each(verdictsOf(kind))(
    'has the verdict of the gateway, in the same sentences: $title',
    async ({ spec, refused, outside }) => {
      const { status, body } = await dryRun(kind, spec);
      if (refused.length === 0 || outside !== undefined) {
        expect({ status, body }).toMatchObject({ status: 201 });
        return;
      }
      expect([400, 422]).toContain(status);
      const lines = linesOfRules(body);
      // Without a valid schema the API server does not evaluate all rules.
      if (refused.every(isOfRule)) expect(lines.toSorted()).toEqual(refused.toSorted());
      else expect(refused).toEqual(expect.arrayContaining([...lines]));
    },
  );
});

describe('a null in a document', () => {
  it('is removed by the API server, so that the gateway reads none from a cluster', async () => {
    const spec = { type: 'stdio', command: 'run', cwd: null, env: { KEY: null } };
    const { body } = await dryRun('MCPServer', spec);
    const stored = (body as { readonly spec: object }).spec;
    expect(stored).toMatchObject({ type: 'stdio', command: 'run' });
    expect(JSON.stringify(stored)).not.toContain('null');
    expect(refusalOf(toDocument(stored))).toEqual([]);
  });
});
