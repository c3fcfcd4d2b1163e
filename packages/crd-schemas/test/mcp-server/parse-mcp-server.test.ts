import { defineRequirements } from '@gateway/repo-checks';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { requirements } from '../../spec.requirements.ts';
import { parseMcpServer, formatError } from '../../src/index.ts';
import { toDocument, refusalOf, serverOf, stdio } from '../documents.ts';

const requirement = defineRequirements(requirements);
const spec = { type: 'stdio', command: 'run' };
const nameField = (metadata: unknown): unknown => toDocument(spec, metadata);

requirement('1.5/mcpserver-kind', () => {
  it('refuses another kind', () => {
    expect(refusalOf({ ...(stdio() as object), kind: 'Workflow' })).toEqual([
      'kind: must be MCPServer',
    ]);
  });
  it('returns the server of a valid document', () => {
    expect(serverOf(stdio())).toMatchObject({
      apiVersion: 'gateway.internal/v1alpha1',
      kind: 'MCPServer',
    });
  });
});

const groups = (): void => {
  it('refuses another group and another version', () => {
    for (const apiVersion of ['example.com/v1alpha1', 'gateway.internal/v1', 'v1alpha1', '']) {
      expect(refusalOf({ ...(stdio() as object), apiVersion })).toEqual([
        'apiVersion: must be gateway.internal/v1alpha1',
      ]);
    }
  });
  it('takes the group as a parameter', () => {
    const document = { ...(stdio() as object), apiVersion: 'example.com/v1alpha1' };
    expect(parseMcpServer(document, { apiGroup: 'example.com' })).toMatchObject({
      ok: true,
      value: { apiVersion: 'example.com/v1alpha1' },
    });
    expect(parseMcpServer(stdio(), { apiGroup: 'example.com' })).toEqual({
      ok: false,
      error: [{ path: ['apiVersion'], message: 'must be example.com/v1alpha1' }],
    });
  });
};
requirement('1.5/api-group', groups);
requirement('9.1/group-version', groups);

requirement('2.6/top-level', () => {
  it('requires apiVersion, kind, metadata and spec, all reported at once', () => {
    expect(refusalOf({})).toEqual([
      'apiVersion: apiVersion is required',
      'kind: kind is required',
      'metadata: metadata is required',
      'spec: spec is required',
    ]);
  });
  it('accepts a status and does not read it', () => {
    expect(refusalOf({ ...(stdio() as object), status: { state: 'Whatever' } })).toEqual([]);
  });
  it('names every unknown key, wherever it stands', () => {
    const document = {
      ...(stdio({ comand: 'x', family: { name: 'a', instanceArg: 'b', x: 1 } }) as object),
      metadata: { name: 'a', label: {} },
      specs: {},
    };
    expect(refusalOf(document)).toEqual([
      'metadata.label: unknown field',
      'spec.family.x: unknown field',
      'spec.comand: unknown field',
      'specs: unknown field',
    ]);
  });
  it('takes __proto__ for an unknown key like any other', () => {
    const document = JSON.parse(
      '{"apiVersion":"gateway.internal/v1alpha1","kind":"MCPServer","metadata":{"name":"a"},"__proto__":{"x":1},"spec":{"type":"stdio","command":"a","__proto__":{"url":"b"}}}',
    ) as unknown;
    expect(refusalOf(document)).toEqual([
      'spec.__proto__: unknown field',
      '__proto__: unknown field',
    ]);
  });
  it.each([
    [null, 'must be a mapping, not null'],
    [[], 'must be a mapping, not a list'],
    ['spec', 'must be a mapping, not a string'],
    [undefined, 'must have a value'],
  ])('refuses %j as a document', (document, refusal) => {
    expect(refusalOf(document)).toEqual([refusal]);
  });
});

describe('metadata', () => {
  it.each(['a', 'k8s-prod', '8ball', 'a.b-c.d', 'a'.repeat(253)])('accepts the name %s', (name) => {
    expect(serverOf(nameField({ name })).metadata.name).toBe(name);
  });
  it.each(['K8s', 'a_b', '-a', 'a-', 'a..b', '.a', 'a b', 'a/b', '__proto__', 'é'])(
    'refuses the name %j',
    (name) => {
      expect(refusalOf(nameField({ name }))).toEqual([
        'metadata.name: must consist of lower-case letters, digits, "-" and ".", and each part between dots must start and end with a letter or digit',
      ]);
    },
  );
  it('refuses a name of 254 characters, an empty one and none', () => {
    expect(refusalOf(nameField({ name: 'a'.repeat(254) }))).toEqual([
      'metadata.name: must be at most 253 characters',
    ]);
    expect(refusalOf(nameField({ name: '' }))).toEqual(['metadata.name: must not be empty']);
    expect(refusalOf(nameField({}))).toEqual(['metadata.name: name is required']);
  });
  it('is in the namespace default unless it names one', () => {
    expect(serverOf(nameField({ name: 'a' })).metadata.namespace).toBe('default');
    expect(serverOf(nameField({ name: 'a', namespace: 'team-a' })).metadata.namespace).toBe(
      'team-a',
    );
    expect(refusalOf(nameField({ name: 'a', namespace: 'a.b' }))).toEqual([
      'metadata.namespace: must consist of lower-case letters, digits and "-", and start and end with a letter or digit',
    ]);
  });
  it('keeps labels and annotations', () => {
    const labels = { 'gateway.internal/tool-group': 'infrastructure', tier: '', A_b: 'X.y-z_1' };
    const annotations = { 'example.com/note': 'any text, 100 %' };
    expect(serverOf(nameField({ name: 'a', labels, annotations })).metadata).toEqual({
      name: 'a',
      namespace: 'default',
      labels,
      annotations,
    });
    expect(serverOf(nameField({ name: 'a' })).metadata.labels).toEqual({});
  });
  it('refuses labels that a cluster would refuse', () => {
    const key =
      'the key must be a label key: an optional DNS prefix and "/", then up to 63 letters, digits, "-", "_" and ".", starting and ending with a letter or digit';
    const keys = { ['k'.repeat(64)]: '', 'A.com/x': '', 'a/b/c': '', '/x': '', 'x/': '' };
    const labels = { ...keys, tier: 'a b', team: 'v'.repeat(64), count: 3 };
    expect(refusalOf(nameField({ name: 'a', labels }))).toEqual([
      `metadata.labels.${'k'.repeat(64)}: ${key}`,
      `metadata.labels["A.com/x"]: ${key}`,
      `metadata.labels["a/b/c"]: ${key}`,
      `metadata.labels["/x"]: ${key}`,
      `metadata.labels["x/"]: ${key}`,
      'metadata.labels.tier: must be a label value: letters, digits, "-", "_" and ".", starting and ending with a letter or digit, or empty',
      'metadata.labels.team: must be at most 63 characters',
      'metadata.labels.count: must be a string, not a number',
    ]);
  });
  it('accepts what an exported resource carries, and drops it', () => {
    const carried = { uid: '1', resourceVersion: '2', generation: 1, managedFields: [{}] };
    const metadata = { name: 'a', creationTimestamp: '2026-01-01T00:00:00Z', ...carried };
    const kept = { name: 'a', namespace: 'default', labels: {} };
    expect(serverOf(nameField(metadata)).metadata).toEqual(kept);
  });
});

describe('all problems at once', () => {
  it('reports wrong values, unknown keys and broken rules together', () => {
    expect(
      refusalOf(toDocument({ type: 'stdio', headers: {}, timeout: 0, argz: [] }, { name: 'A' })),
    ).toEqual([
      'metadata.name: must consist of lower-case letters, digits, "-" and ".", and each part between dots must start and end with a letter or digit',
      'spec.timeout: must be at least 1',
      'spec.argz: unknown field',
      'spec.command: command is required when type is stdio',
      'spec.headers: headers field is only allowed when type is streamable-http or sse',
    ]);
  });
  it('stops at 20', () => {
    const unknown = Object.fromEntries(
      Array.from({ length: 5000 }, (_, n) => [`k${String(n)}`, 1]),
    );
    expect(refusalOf(stdio(unknown))).toHaveLength(20);
  });
});

describe('any input', () => {
  it('is answered without throwing, with a server or with at least one reason', () => {
    fc.assert(
      fc.property(fc.object({ withNullPrototype: true, withBigInt: true }), (value) => {
        for (const document of [value, toDocument(value), stdio(value)]) {
          const parsed = parseMcpServer(document);
          expect(parsed.ok || parsed.error.length > 0).toBe(true);
        }
      }),
    );
  });
  it('of 10 MB in one string is refused at once and not echoed', () => {
    const huge = 'a'.repeat(10_000_000);
    const lines = refusalOf({ ...(stdio({ [huge]: 1, command: huge }) as object), kind: huge });
    expect(lines.map((line) => line.length < 300)).toEqual([true, true, true]);
  });
  it('is not shared with the result, which is frozen', () => {
    const args = ['a'];
    const server = serverOf(stdio({ args, env: { A: '1' } }));
    args.push('b');
    expect(server.spec).toMatchObject({ args: ['a'] });
    const { metadata, spec } = server;
    const parts = [server, metadata, metadata.labels, spec, spec.env];
    expect(parts.every(Object.isFrozen)).toBe(true);
  });
});

describe('one line per problem', () => {
  it('quotes keys that are no plain words', () => {
    expect(formatError({ path: ['spec', 'env', 'a\nb'], message: 'm' })).toBe('spec.env[*]: m');
    expect(formatError({ path: ['spec', 'args', 0], message: 'm' })).toBe('spec.args[0]: m');
    expect(formatError({ path: [], message: 'm' })).toBe('m');
  });
});
