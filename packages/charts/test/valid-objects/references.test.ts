import { describe, expect, it } from 'vitest';
import { problemsWhen, type BrokenCase } from './broken-render.ts';

const CASES: readonly BrokenCase[] = [
  [
    'an autoscaler of nothing',
    'kind: Deployment, name: web',
    'kind: Deployment, name: wep',
    'HorizontalPodAutoscaler web: spec.scaleTargetRef: there is no Deployment wep',
  ],
  [
    'two that count the pods',
    'strategy: { type',
    'replicas: 1\n  strategy: { type',
    'HorizontalPodAutoscaler web: spec.scaleTargetRef: Deployment web sets replicas itself',
  ],
  [
    'more pods at least than at most',
    'minReplicas: 1',
    'minReplicas: 3',
    'HorizontalPodAutoscaler web: spec.minReplicas: is above maxReplicas',
  ],
  [
    'a budget with both bounds',
    'minAvailable: 1,',
    'minAvailable: 1, maxUnavailable: 1,',
    'PodDisruptionBudget web: spec: must have one of minAvailable and maxUnavailable',
  ],
  [
    'a budget of no pods',
    'tier: front } } }',
    'tier: back } } }',
    'PodDisruptionBudget web: spec.selector: selects no pods of this render',
  ],

  [
    'a binding of a role that there is not',
    'kind: Role, name: web',
    'kind: Role, name: wep',
    'RoleBinding web: roleRef: there is no Role wep',
  ],
  [
    'a binding of an account that there is not',
    'ServiceAccount, name: web, namespace: shop }]',
    'ServiceAccount, name: wep, namespace: shop }]',
    'RoleBinding web: subjects: there is no ServiceAccount wep in shop',
  ],
  [
    'a rule about nothing',
    'resources: [configmaps], ',
    '',
    'Role web: rules[0]: must have apiGroups and resources, or nonResourceURLs',
  ],
  [
    'a rule that allows nothing',
    'verbs: [get]',
    'verbs: []',
    'Role web: rules[0].verbs: must not be empty',
  ],

  [
    'a key that is no file',
    "data: { a.yaml: 'a: 1' }",
    "data: { a.yaml: 'a: 1', a/b: c }",
    'ConfigMap web: data["a/b"]: is no key',
  ],
  ['a secret in plain text', 'c2VjcmV0', 'secret!', 'Secret web: data.key: is not in base64'],
  [
    'a claim of no size',
    'requests: { storage: 1Gi }',
    'requests: {}',
    'PersistentVolumeClaim web: spec.resources.requests.storage: is required',
  ],
  [
    'a claim of no access',
    'accessModes: [ReadWriteOnce]',
    'accessModes: []',
    'PersistentVolumeClaim web: spec.accessModes: must not be empty',
  ],
  [
    'a release without its source',
    'chartRef: { kind: OCIRepository, name: web } }',
    'chartRef: { kind: OCIRepository, name: wep } }',
    'HelmRelease web: spec.chartRef: there is no OCIRepository wep',
  ],
  [
    'a release that waits for nobody',
    'dependsOn: [{ name: web }]',
    'dependsOn: [{ name: wep }]',
    'HelmRelease later: spec.dependsOn: there is no HelmRelease wep',
  ],
];

describe('rules about the purpose of objects and their references', () => {
  it.each(CASES)('report %s', (_name, from, to, problems) => {
    expect(problemsWhen(from, to)).toEqual(problems.split('\n'));
  });
});
