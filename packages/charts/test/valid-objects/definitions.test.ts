import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { problemsOf } from './broken-render.ts';

describe('the definitions of the gateway’s own resources', () => {
  const folder = join(import.meta.dirname, '../../../crd-schemas/generated');
  const text = ['mcpservers', 'workflows']
    .map((name) => readFileSync(join(folder, `${name}.crd.yaml`), 'utf8'))
    .join('---\n');

  it('are valid', () => {
    expect(problemsOf(text)).toEqual([]);
  });

  it.each([
    [
      'an unknown keyword',
      /openAPIV3Schema:\n/u,
      'openAPIV3Schema:\n          optional: true\n',
      'spec.versions[0].schema.openAPIV3Schema.optional: is no field',
    ],
    [
      'another name',
      /name: mcpservers\.gateway/u,
      'name: mcpserver.gateway',
      'metadata.name: must be mcpservers.gateway.internal',
    ],
    [
      'no stored version',
      /storage: true/u,
      'storage: false',
      'spec.versions: must store one version',
    ],
  ])('report %s', (_name, from, to, problem) => {
    expect(text).toMatch(from);
    const problems = problemsOf(text.replace(from, to));
    expect(problems.map((line) => line.replace(/^\S+ \S+: /u, ''))).toEqual([problem]);
  });
});
