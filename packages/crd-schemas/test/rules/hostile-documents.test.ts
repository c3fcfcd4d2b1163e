import { describe, expect, it } from 'vitest';
import { evaluateRules, parseMcpServer, parseWorkflow } from '../../src/index.ts';

const nested = (depth: number): unknown => {
  let value: unknown = 'x';
  for (let level = 0; level < depth; level += 1) value = { steps: [value], condition: value };
  return value;
};

/** A spec with a hostile value in every field that a rule reads. */
const specOf = (value: unknown) => ({
  type: value,
  command: value,
  args: value,
  url: value,
  headers: value,
  auth: value,
  env: value,
  envFrom: value,
  headersFrom: value,
  steps: value,
  condition: value,
  forEach: value,
  parallel: value,
  tool: value,
});

const long = '\u{1f468}\u200d'.repeat(2_500_000);

const VALUES: readonly (readonly [string, unknown])[] = [
  ['a text of ten million code units', long],
  ['a regular expression that backtracks', `${'(a+)+'.repeat(1_000)}$`],
  ['objects that contain each other to a depth of 20', nested(20)],
  ['a million items', Array.from({ length: 1_000_000 }, () => ({ tool: 'a', forEach: {} }))],
  [
    'a million references with long names',
    Array.from({ length: 1_000_000 }, () => ({ name: long, secretKeyRef: {} })),
  ],
  ['keys of the prototype', JSON.parse('{"__proto__":{"type":"stdio"},"constructor":1}')],
  ['text of CEL', 'true || self.all(x, self.all(y, self.all(z, true)))'],
];

describe('the rules of a resource', () => {
  it.each(VALUES)('are evaluated within two seconds of processor time for %s', (_what, value) => {
    const start = process.cpuUsage();
    for (const kind of ['MCPServer', 'Workflow'] as const) {
      for (const spec of [specOf(value), value]) evaluateRules(kind, spec);
      const resource = {
        apiVersion: 'gateway.internal/v1alpha1',
        kind,
        metadata: { name: 'hostile' },
        spec: specOf(value),
      };
      const parsed = kind === 'MCPServer' ? parseMcpServer(resource) : parseWorkflow(resource);
      expect(parsed.ok).toBe(false);
    }
    // Not the time of the clock, which other processes of the machine lengthen.
    const { user, system } = process.cpuUsage(start);
    expect((user + system) / 1_000).toBeLessThan(2_000);
  });
});
