import type { OperationDraft } from '@gateway/agent-manager-client';
import { describe, expect, it } from 'vitest';
import { createAgentService } from '../../src/index.ts';
import type { KubernetesObject } from '../../src/store/agent-store.ts';
import { memoryStore } from '../support/memory-store.ts';
import { serviceParts } from '../support/service-parts.ts';
import { requirement } from '../requirement.ts';

const SRE: OperationDraft<'create_agent'> = {
  name: 'sre',
  displayName: 'SRE',
  description: 'helps',
  systemMessage: 'Be brief.\nBe kind.',
  modelConfig: 'small',
  toolset: ['preset:read-only', 'workflow:incident-triage'],
};

const SOURCE = `apiVersion: source.toolkit.fluxcd.io/v1
kind: OCIRepository
metadata:
  name: agent
  namespace: default
  labels:
    app.kubernetes.io/managed-by: agent-manager
spec:
  interval: 30m
  url: oci://registry.gateway.internal/charts/agent
  ref:
    semver: x.x.x
`;

const RELEASE = `apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata:
  name: sre
  namespace: default
  labels:
    app.kubernetes.io/managed-by: agent-manager
spec:
  interval: 10m
  chartRef:
    kind: OCIRepository
    name: agent
    namespace: default
  values:
    agent:
      name: sre
      displayName: SRE
      description: helps
      systemMessage: |-
        Be brief.
        Be kind.
    modelConfig:
      name: small
    toolset:
      - preset:read-only
      - workflow:incident-triage
`;

const VALUES = {
  agent: {
    name: 'sre',
    displayName: 'SRE',
    description: 'helps',
    systemMessage: 'Be brief.\nBe kind.',
  },
  modelConfig: { name: 'small' },
  toolset: ['preset:read-only', 'workflow:incident-triage'],
};

const serviceOf = (objects: readonly KubernetesObject[] = [], parts = {}) => {
  const store = memoryStore({ objects, takesAnyModel: true });
  return { store, service: createAgentService(serviceParts({ store, ...parts })) };
};

describe('create_agent', () => {
  it('writes the source and the release, and shows both and the agent', async () => {
    const { store, service } = serviceOf();
    const answer = await service.create_agent(SRE);
    expect(answer).toEqual({
      ok: true,
      value: {
        agent: {
          name: 'sre',
          namespace: 'default',
          exists: false,
          displayName: 'SRE',
          description: 'helps',
          systemMessage: 'Be brief.\nBe kind.',
          modelConfig: 'small',
          toolset: ['preset:read-only', 'workflow:incident-triage'],
          ready: null,
          accepted: null,
          managed: 'helmrelease',
          helmRelease: {
            name: 'sre',
            namespace: 'default',
            ready: null,
            suspended: false,
            gitOpsOwned: false,
            deleting: false,
            chartRef: { kind: 'OCIRepository', name: 'agent', namespace: 'default' },
          },
          values: VALUES,
        },
        manifests: { ociRepository: SOURCE, helmRelease: RELEASE, values: VALUES },
        created: { ociRepository: true, helmRelease: true },
        status: {
          name: 'sre',
          namespace: 'default',
          verdict: 'progressing',
          summary: 'HelmRelease created; Flux has not reconciled it yet',
          agent: { exists: false, ready: null, accepted: null, conditions: [] },
          helmRelease: {
            exists: true,
            ready: null,
            suspended: false,
            gitOpsOwned: false,
            deleting: false,
            conditions: [],
            history: [],
          },
          deployment: {
            exists: false,
            replicas: 0,
            readyReplicas: 0,
            availableReplicas: 0,
            conditions: [],
          },
          pods: [],
          events: [],
        },
      },
    });
    expect(await service.get_agent_status({ name: 'sre' })).toEqual({
      ok: true,
      value: answer.ok && answer.value.status,
    });
    expect(store.contents().map(({ kind }) => kind)).toEqual(['OCIRepository', 'HelmRelease']);
  });

  it('leaves the source of the other agents alone', async () => {
    const { store, service } = serviceOf();
    await service.create_agent(SRE);
    const [source] = store.contents();
    expect(await service.create_agent({ ...SRE, name: 'other' })).toMatchObject({
      value: { created: { ociRepository: false, helmRelease: true } },
    });
    expect(store.contents()[0]).toBe(source);
    expect(store.contents()).toHaveLength(3);
  });

  it('names the account that Flux acts as, where one is configured', async () => {
    const flux = {
      helmReleaseInterval: '1m',
      ociRepositoryInterval: '2m',
      serviceAccountName: 'deployer',
    };
    const { store, service } = serviceOf([], { flux });
    await service.create_agent(SRE);
    expect(store.contents().map(({ spec }) => spec)).toMatchObject([
      { interval: '2m' },
      { interval: '1m', serviceAccountName: 'deployer' },
    ]);
  });

  it('refuses the name of a release of another chart, and of a release behind an Agent', async () => {
    const other = { kind: 'HelmRelease', metadata: { name: 'sre', namespace: 'default' } };
    expect(await serviceOf([other]).service.create_agent(SRE)).toMatchObject({
      error: {
        message: 'conflict: HelmRelease default/sre already exists; use update_agent to change it',
      },
    });
    const behind = { kind: 'HelmRelease', metadata: { name: 'behind', namespace: 'default' } };
    const labels = {
      'helm.toolkit.fluxcd.io/name': 'behind',
      'helm.toolkit.fluxcd.io/namespace': 'default',
    };
    const agent = { kind: 'Agent', metadata: { name: 'sre', namespace: 'default', labels } };
    expect(await serviceOf([behind, agent]).service.create_agent(SRE)).toMatchObject({
      error: {
        message:
          'conflict: HelmRelease default/behind already exists; use update_agent to change it',
      },
    });
  });

  it('refuses the name of a release that is being deleted, and says so in a trial too', async () => {
    const metadata = {
      name: 'sre',
      namespace: 'default',
      deletionTimestamp: '2026-01-01T00:00:00Z',
    };
    const { service } = serviceOf([{ kind: 'HelmRelease', metadata }]);
    const text =
      'HelmRelease default/sre is being deleted; try again when it is gone, or pick another name';
    expect(await service.create_agent(SRE)).toMatchObject({
      error: { code: 'conflict', message: `conflict: ${text}` },
    });
    expect(await service.validate_agent(SRE)).toMatchObject({ value: { errors: [text] } });
  });

  it('refuses values that the chart does not accept, with all problems', async () => {
    const { store, service } = serviceOf();
    expect(
      await service.create_agent({ ...SRE, runtime: 'rust', displayName: 'x'.repeat(64) }),
    ).toEqual({
      ok: false,
      error: {
        code: 'invalid_request',
        message:
          'invalid request: values do not satisfy the agent chart schema 0.6.0 (embedded): /agent/displayName: must have at most 63 characters; /agent/runtime: must be one of go, python',
      },
    });
    expect(store.contents()).toEqual([]);
  });

  it('refuses in the order namespace, toolNames, name, toolset, release, model, values', async () => {
    const { service } = serviceOf([
      { kind: 'HelmRelease', metadata: { name: 'taken', namespace: 'default' } },
    ]);
    const store = memoryStore();
    const closed = createAgentService(serviceParts({ store }));
    const messageOf = async (draft: OperationDraft<'create_agent'>, by = service) => {
      const answer = await by.create_agent(draft);
      return answer.ok ? '' : answer.error.message.slice(0, 45);
    };
    const wrong = { name: 'Bad', toolset: [], modelConfig: ' ', runtime: 'rust' };
    expect([
      await messageOf({ ...wrong, toolNames: [], namespace: 'x' }),
      await messageOf({ ...wrong, toolNames: [] }),
      await messageOf(wrong),
      await messageOf({ ...wrong, name: 'taken' }),
      await messageOf({ ...wrong, name: 'taken', toolset: ['preset:none'], modelConfig: 'm' }),
      await messageOf({ ...SRE, runtime: 'rust' }, closed),
      await messageOf({ ...SRE, runtime: 'rust' }),
    ]).toEqual([
      'invalid request: namespace "x" is not managed',
      'invalid request: toolNames never narrowed any',
      'invalid request: name "Bad" must be a DNS-112',
      'invalid request: toolset is empty; use ["pres',
      'conflict: HelmRelease default/taken already e',
      'invalid request: modelConfig "small" does not',
      'invalid request: values do not satisfy the ag',
    ]);
  });
});

requirement('4.4/as-given', () => {
  it('is written as it was given, duplicates and order included', async () => {
    const { store, service } = serviceOf();
    const toolset = ['tool:b', 'preset:unheard-of', 'tool:b', 'server:a'];
    await service.create_agent({ ...SRE, toolset });
    expect(store.contents()[1]?.spec).toMatchObject({ values: { toolset } });
  });
});

describe('a toolset that is not resolved', () => {
  it('accepts presets, servers, workflows and tools that do not exist', async () => {
    const toolset = ['preset:unheard-of', 'server:gone', 'workflow:gone', 'tool:gone'];
    expect(await serviceOf().service.create_agent({ ...SRE, toolset })).toMatchObject({
      ok: true,
      value: { agent: { toolset } },
    });
  });
});
