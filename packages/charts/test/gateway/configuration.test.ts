import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { requirement } from '../requirement.ts';
import {
  configOf,
  configurationFiles,
  DEFAULT_OBJECTS,
  FULL,
  FULL_OBJECTS,
  gatewayObjects,
} from './gateway-chart.ts';
import { deploymentOf } from '../harness/rendered-objects.ts';

const PRESETS = { notes: { description: '{{ x }}', include: [{ server: 'memory' }] } };

const checksumOf = (objects: typeof DEFAULT_OBJECTS) =>
  deploymentOf(objects).template.metadata.annotations['checksum/config'];

describe('config.yaml', () => {
  it('contains only settings for a pod by default', () =>
    expect(configOf(DEFAULT_OBJECTS)).toEqual({
      apiGroup: 'gateway.internal',
      labelDomain: 'gateway.internal',
      stateDirectory: '/var/lib/gateway/state',
      workflows: { executionsDirectory: '/var/lib/gateway/executions' },
      http: {
        allowedHosts: [
          'demo-gateway',
          'demo-gateway.demo-ns',
          'demo-gateway.demo-ns.svc',
          'demo-gateway.demo-ns.svc.cluster.local',
        ],
      },
    }));

  requirement('2.2/gateway-chart-path', () => {
    it('has the presets of muster.toolsetPresets and the other keys of muster', async () => {
      const objects = await gatewayObjects({
        muster: { toolsetPresets: PRESETS, http: { maxSessions: 1_000_000 }, pinToolHints: true },
      });
      expect(configOf(objects)).toMatchObject({
        toolsetPresets: PRESETS,
        http: { maxSessions: 1_000_000 },
        pinToolHints: true,
      });
      // The running gateway reads changed presets; other keys require new pods.
      const bare = await gatewayObjects({
        muster: { http: { maxSessions: 1_000_000 }, pinToolHints: true },
      });
      expect(checksumOf(objects)).toBe(checksumOf(bare));
      expect(checksumOf(objects)).not.toBe(checksumOf(DEFAULT_OBJECTS));
    });
  });

  it('accepts the host names of the Service, the Ingress, the HTTPRoute and the values', () =>
    expect((configOf(FULL_OBJECTS)['http'] as { allowedHosts: unknown }).allowedHosts).toEqual([
      ...['gateway', 'gateway.agent-platform', 'gateway.agent-platform.svc'],
      ...['gateway.agent-platform.svc.cluster.example', 'gateway.example.com', 'mcp.example.com'],
      'gateway.internal.example.com',
    ]));

  it('has the API group and domain of the chart; those of a parent chart take precedence', async () => {
    expect(configOf(FULL_OBJECTS)).toMatchObject({
      apiGroup: 'mcp.example.com',
      labelDomain: 'platform.example.com',
    });
    const objects = await gatewayObjects({
      apiGroup: 'a.example',
      labelDomain: 'b.example',
      muster: { apiGroup: 'a.example' },
    });
    expect(configOf(objects)).toMatchObject({ apiGroup: 'a.example', labelDomain: 'b.example' });
  });
});

describe('servers and workflows', () => {
  const files = configurationFiles(FULL_OBJECTS, {
    billing: { 'billing.yaml': 'billing', 'invoices.eu.yaml': 'invoices' },
    'more-servers': { '1e3.yaml': '1e3' },
    'more-workflows': { 'tidy.yaml': 'tidy' },
  });

  it('are one file each, from the values and from existing Secrets and ConfigMaps', () =>
    expect(Object.keys(files)).toEqual([
      ...['config.yaml', 'mcpservers/memory.yaml', 'mcpservers/wiki.yaml'],
      ...['mcpservers/billing.yaml', 'mcpservers/invoices.eu.yaml', 'mcpservers/1e3.yaml'],
      ...['workflows/look-around.yaml', 'workflows/tidy.yaml', 'secrets/state-server/ca.crt'],
      ...['secrets/1e3/yes', 'secrets/1e3/0x1', 'secrets/1e3/client-secret', 'configMaps/007/1e1'],
      'configMaps/007/region',
    ]));

  it.each([
    ['MCPServer', 'mcpservers'],
    ['Workflow', 'workflows'],
  ])('are exactly the documents of the values, in the API group: %s', (kind, key) => {
    const given = Object.entries(FULL[key] as Record<string, { readonly spec?: unknown }>);
    for (const [name, { spec, ...metadata }] of given)
      expect(parse(files[`${key}/${name}.yaml`] ?? '')).toEqual({
        apiVersion: 'mcp.example.com/v1alpha1',
        kind,
        metadata: { name, namespace: 'agent-platform', ...metadata },
        spec,
      });
  });

  it('add a file to the pods: a new name replaces them, an edit does not', async () => {
    const spec = { type: 'stdio', command: 'a' };
    const pods = async (mcpservers: object) =>
      deploymentOf(await gatewayObjects({ mcpservers })).template;
    const one = await pods({ a: { spec } });
    expect(await pods({ a: { spec: { ...spec, autoStart: true } } })).toEqual(one);
    expect(await pods({ a: { spec }, b: { spec } })).not.toEqual(one);
  });
});
