import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { objectsOf } from '../src/helm/render.ts';
import { kubernetesProblems } from './harness/valid-objects.ts';

const problemsOf = (text: string): readonly string[] => kubernetesProblems(objectsOf(text));

const WORKLOAD = `
apiVersion: apps/v1
kind: Deployment
metadata: { name: web, labels: { app: web } }
spec:
  replicas: 1
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec:
      containers:
        - name: web
          image: registry.example.com/web:1
          resources: { limits: { cpu: '1', memory: 512Mi } }
          ports: [{ name: http, containerPort: 8080 }]
          readinessProbe: { httpGet: { path: /readyz, port: http } }
`;

const changed = (from: string, to: string): string => {
  expect(WORKLOAD).toContain(from);
  return WORKLOAD.replace(from, to);
};

describe('typed validation of rendered objects', () => {
  it('finds nothing wrong with a sound workload', () => {
    expect(problemsOf(WORKLOAD)).toEqual([]);
  });

  it.each([
    ['an unknown field', 'replicas: 1', 'replica: 1', 'spec.replica: is no field'],
    ['a wrong type', 'replicas: 1', "replicas: '1'", 'spec.replicas: must be a number, is string'],
    [
      'a missing field',
      'name: web\n',
      'imagePullPolicy: Always\n',
      'spec.template.spec.containers[0].name: is required',
    ],
    [
      'a wrong quantity',
      '512Mi',
      '512Mb',
      'spec.template.spec.containers[0].resources.limits.memory: is no Quantity: "512Mb"',
    ],
    [
      'a list for a map',
      "{ cpu: '1', memory: 512Mi }",
      '[]',
      'spec.template.spec.containers[0].resources.limits: must be a map, is a list',
    ],
    [
      'no port',
      'port: http }',
      'port: [] }',
      'spec.template.spec.containers[0].readinessProbe.httpGet.port: is none of the allowed types: a list',
    ],
  ])('tells %s', (_case, from, to, problem) => {
    expect(problemsOf(changed(from, to))).toEqual([`Deployment web: ${problem}`]);
  });

  it('knows no kind that a cluster does not have', () => {
    const text = 'nobody knows this apiVersion and kind';
    expect(problemsOf(changed('apps/v1', 'apps/v1beta2'))).toEqual([`Deployment web: ${text}`]);
    expect(problemsOf('{ apiVersion: v1, kind: Pods, metadata: { name: a } }')).toEqual([
      `Pods a: ${text}`,
    ]);
  });

  it('accepts the definitions of the gateway’s own resources', () => {
    const folder = join(import.meta.dirname, '../../crd-schemas/generated');
    const crds = ['mcpservers', 'workflows'].map((name) =>
      readFileSync(`${folder}/${name}.crd.yaml`, 'utf8'),
    );
    expect(problemsOf(crds.join('---\n'))).toEqual([]);
  });
});
