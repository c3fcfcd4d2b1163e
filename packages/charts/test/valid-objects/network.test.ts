import { describe, expect, it } from 'vitest';
import { problemsWhen, type BrokenCase } from './broken-render.ts';

const CASES: readonly BrokenCase[] = [
  [
    'a Service of a port that there is not',
    'targetPort: http',
    'targetPort: https',
    'Service web: spec.ports: there is no port https in the pods',
  ],
  [
    'a Service without ports',
    'selector: { app: web }, ports: [{ name: http, port: 80, targetPort: http }]',
    'selector: { app: web }',
    'Service web: spec.ports: must not be empty\nIngress web: spec.rules[0].http.paths[0].backend: the Service web has no port http\nHTTPRoute web: spec.rules: the Service web has no port 80\nServiceMonitor web: spec.endpoints: no Service has the port http',
  ],
  [
    'a Service of other pods',
    'selector: { app: web }, ports: [{ name: http, port: 80, targetPort: http }]',
    'selector: { app: wep }, ports: [{ name: http, port: 80 }]',
    'Service web: spec.selector: selects no pods of this render',
  ],
  [
    'an Ingress to nobody',
    'service: { name: web, port',
    'service: { name: wep, port',
    'Ingress web: spec.rules[0].http.paths[0].backend: there is no Service wep',
  ],
  [
    'an Ingress of a URL',
    'host: web.example.com',
    "host: 'https://web.example.com'",
    'Ingress web: spec.rules[0].host: is no name of a host',
  ],
  [
    'a path without its slash',
    'path: /, pathType',
    'path: mcp, pathType',
    'Ingress web: spec.rules[0].http.paths[0].path: must begin with "/"',
  ],
  [
    'a route without a Gateway',
    'parentRefs: [{ name: public }], ',
    '',
    'HTTPRoute web: spec.parentRefs: must not be empty',
  ],
  [
    'a route to another port',
    'backendRefs: [{ name: web, port: 80 }]',
    'backendRefs: [{ name: web, port: 81 }]',
    'HTTPRoute web: spec.rules: the Service web has no port 81',
  ],
  [
    'a monitor of nothing',
    'spec: { selector: { matchLabels: { app: web } }, endpoints',
    'spec: { selector: { matchLabels: { app: wep } }, endpoints',
    'ServiceMonitor web: spec.selector: selects no Service of this render',
  ],
  [
    'a monitor of a port that the pods do not have',
    'endpoints: [{ port: http',
    'endpoints: [{ targetPort: https',
    'ServiceMonitor web: spec.endpoints: no pod of a Service has the port https',
  ],
  [
    'a policy about nobody',
    'podSelector: { matchLabels: { app: web } }',
    'podSelector: { matchLabels: { app: wep } }',
    'NetworkPolicy web: spec.podSelector: selects no pods of this render',
  ],
  [
    'a policy that admits everyone by mistake',
    'from: [{ podSelector: {} }]',
    'from: []',
    'NetworkPolicy web: spec: has an empty list of peers, which means everyone',
  ],
  [
    'a policy with rules that do not count',
    'ingress: [{ from',
    'egress: [], ingress: [{ from',
    'NetworkPolicy web: spec.policyTypes: does not name Egress, of which there are rules',
  ],
];

describe('rules about the network', () => {
  it.each(CASES)('report %s', (_name, from, to, problems) => {
    expect(problemsWhen(from, to)).toEqual(problems.split('\n'));
  });
});
