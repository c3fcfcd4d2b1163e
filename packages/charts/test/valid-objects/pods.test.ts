import { describe, expect, it } from 'vitest';
import { problemsWhen, type BrokenCase } from './broken-render.ts';

const CONTAINER = 'spec.template.spec.containers[0]';

const CASES: readonly BrokenCase[] = [
  [
    'a name with capitals',
    'ConfigMap, metadata: { name: web',
    'ConfigMap, metadata: { name: Web',
    'ConfigMap Web: metadata.name: is no name of a ConfigMap',
  ],
  [
    'a label that is no label',
    'labels: { app: web, tier: front }',
    "labels: { app: web, tier: front, note: 'a b' }",
    'Deployment web: spec.template.metadata.labels.note: is no value of a label: a b',
  ],
  [
    'a key of a label with two slashes',
    'labels: { app: web } }\nspec:\n',
    'labels: { a/b/c: web } }\nspec:\n',
    'Deployment web: metadata.labels["a/b/c"]: is no key of a label',
  ],
  [
    'an annotation without a key',
    'metadata: { name: later,',
    "metadata: { annotations: { '': x }, name: later,",
    'HelmRelease later: metadata.annotations[""]: is no key of an annotation',
  ],
  [
    'a namespace that is none',
    'metadata: { name: web, namespace: shop }\nspec: { accessModes',
    'metadata: { name: web, namespace: a.b }\nspec: { accessModes',
    'PersistentVolumeClaim web: metadata.namespace: is no name of a namespace',
  ],
  [
    'an object twice',
    'HelmRelease\nmetadata: { name: later',
    'HelmRelease\nmetadata: { name: web',
    'HelmRelease web of helm.toolkit.fluxcd.io/v2 in shop is rendered twice',
  ],

  [
    'a selector of other pods',
    'selector: { matchLabels: { app: web } }\n',
    'selector: { matchLabels: { app: wep } }\n',
    'Deployment web: spec.selector: does not match the labels of the template',
  ],
  [
    'no selector',
    'selector: { matchLabels: { app: web } }\n',
    'selector: {}\n',
    'Deployment web: spec.selector: must not be empty',
  ],
  [
    'a strategy that replaces nothing',
    'maxSurge: 1',
    "maxSurge: '0%'",
    'Deployment web: spec.strategy: replaces no pod: maxSurge and maxUnavailable are 0',
  ],
  [
    'a strategy with the bounds of another',
    'type: RollingUpdate',
    'type: Recreate',
    'Deployment web: spec.strategy.rollingUpdate: is for the type RollingUpdate',
  ],
  [
    'a container without an image',
    'image: registry.example.com/web:1',
    '',
    `Deployment web: ${CONTAINER}.image: is required`,
  ],
  [
    'a mount without a volume',
    'name: settings, mountPath',
    'name: setting, mountPath',
    `Deployment web: ${CONTAINER}.volumeMounts: mounts setting, which is no volume`,
  ],
  [
    'a volume without a source',
    'projected: { sources: [{ configMap: { name: web, items: [{ key: a.yaml, path: a.yaml }] } }] }',
    '',
    'Deployment web: spec.template.spec.volumes[0]: must have one source',
  ],
  [
    'a file without its text',
    'key: a.yaml',
    'key: b.yaml',
    'Deployment web: spec.template.spec.volumes[0]: the ConfigMap web has no key b.yaml',
  ],
  [
    'a probe of a port that there is not',
    '/readyz, port: http',
    '/readyz, port: metrics',
    `Deployment web: ${CONTAINER}.readinessProbe: asks at the port metrics, which the container does not have`,
  ],
  [
    'a probe that asks nothing',
    'readinessProbe: { httpGet: { path: /readyz, port: http } }',
    'readinessProbe: { periodSeconds: 3 }',
    `Deployment web: ${CONTAINER}.readinessProbe: must have one of exec, grpc, httpGet, tcpSocket`,
  ],
  [
    'a variable twice',
    'env: [{ name: MODE, value: fast }]',
    'env: [{ name: MODE, value: a }, { name: MODE, value: b }]',
    `Deployment web: ${CONTAINER}.env: names MODE twice`,
  ],
  [
    'a variable with two values',
    'value: fast',
    'value: fast, valueFrom: { secretKeyRef: { name: a, key: b } }',
    `Deployment web: ${CONTAINER}.env: MODE has both value and valueFrom`,
  ],
];

describe('rules about names and pods', () => {
  it.each(CASES)('report %s', (_name, from, to, problems) => {
    expect(problemsWhen(from, to)).toEqual(problems.split('\n'));
  });
});
