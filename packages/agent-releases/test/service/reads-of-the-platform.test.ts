import { refuse } from '@gateway/agent-manager-client';
import { describe, expect, it } from 'vitest';
import { createAgentService, type AgentServiceParts, type SkillSource } from '../../src/index.ts';
import type { KubernetesObject } from '../../src/store/agent-store.ts';
import { memoryStore } from '../support/memory-store.ts';
import { serviceParts } from '../support/service-parts.ts';

const service = (parts: Partial<AgentServiceParts> = {}) =>
  createAgentService(serviceParts({ store: memoryStore(), ...parts }));

const SKILL = {
  name: 'runbooks',
  repository: 'https://git.gateway.internal/platform/skills',
  ref: 'main',
  path: 'runbooks',
};

const skills: SkillSource = {
  repositories: [SKILL.repository],
  list: ({ ref }) =>
    Promise.resolve({ ok: true, value: { skills: [{ ...SKILL, ref: ref ?? '' }] } }),
};

describe('get_info', () => {
  it('reports the managed namespaces, the chart and the settings', async () => {
    expect(await service({ namespaces: ['default', 'team-a'] }).get_info({})).toEqual({
      ok: true,
      value: {
        version: '0.4.0',
        chart: {
          ociUrl: 'oci://registry.gateway.internal/charts/agent',
          semver: 'x.x.x',
          schemaVersion: '0.6.0',
          schemaSource: 'embedded',
        },
        namespaces: { default: 'default', managed: ['default', 'team-a'] },
        capabilities: {
          list: true,
          get: true,
          create: true,
          update: true,
          delete: true,
          status: true,
          validate: true,
          modelConfigs: true,
          skills: false,
          writesAsCaller: false,
        },
        identity: 'serviceAccount',
        apiVersions: {
          agent: 'kagent.dev/v1alpha2',
          modelConfig: 'kagent.dev/v1alpha2',
          helmRelease: 'helm.toolkit.fluxcd.io/v2',
          ociRepository: 'source.toolkit.fluxcd.io/v1',
        },
        flux: { helmReleaseInterval: '10m', ociRepositoryInterval: '30m' },
        skillsRepositories: [],
      },
    });
  });

  it('reports the repositories of skills, and the service account of Flux', async () => {
    const flux = {
      helmReleaseInterval: '10m',
      ociRepositoryInterval: '30m',
      serviceAccountName: 'installer',
    };
    expect(await service({ skills, flux }).get_info({})).toMatchObject({
      value: {
        capabilities: { skills: true },
        flux: { serviceAccountName: 'installer' },
        skillsRepositories: ['https://git.gateway.internal/platform/skills'],
      },
    });
  });

  it('writes the versions that it reports', async () => {
    const answer = await service({ store: memoryStore({ takesAnyModel: true }) }).create_agent({
      name: 'sre',
      modelConfig: 'any',
      toolset: ['preset:none'],
    });
    expect(answer).toMatchObject({
      value: {
        manifests: {
          helmRelease: expect.stringContaining('apiVersion: helm.toolkit.fluxcd.io/v2\n'),
          ociRepository: expect.stringContaining('apiVersion: source.toolkit.fluxcd.io/v1\n'),
        },
      },
    });
  });
});

describe('list_model_configs', () => {
  const models: readonly KubernetesObject[] = [
    {
      kind: 'ModelConfig',
      metadata: {
        name: 'small',
        namespace: 'default',
        labels: { 'app.kubernetes.io/managed-by': 'model-manager' },
      },
      spec: { provider: 'OpenAI', model: 'small-1' },
      status: { conditions: [{ type: 'Accepted', status: 'False', message: 'no key' }] },
    },
    { kind: 'ModelConfig', metadata: { name: 'large', namespace: 'default' }, spec: { model: 5 } },
    { kind: 'ModelConfig', metadata: { name: 'hidden', namespace: 'team-a' } },
  ];

  it('lists the models of a namespace, of any shape', async () => {
    const store = memoryStore({ objects: models });
    expect(await service({ store }).list_model_configs({})).toEqual({
      ok: true,
      value: {
        modelConfigs: [
          { name: 'large', namespace: 'default', accepted: null },
          {
            name: 'small',
            namespace: 'default',
            provider: 'OpenAI',
            model: 'small-1',
            accepted: false,
            message: 'no key',
            managedBy: 'model-manager',
          },
        ],
      },
    });
  });

  it('lists none where every name is taken', async () => {
    expect(
      await service({ store: memoryStore({ takesAnyModel: true }) }).list_model_configs({}),
    ).toEqual({ ok: true, value: { modelConfigs: [] } });
  });
});

describe('list_skills', () => {
  it('lists the skills of the source', async () => {
    expect(await service({ skills }).list_skills({ ref: 'v1' })).toEqual({
      ok: true,
      value: { skills: [{ ...SKILL, ref: 'v1' }] },
    });
  });

  it('is not supported without a source', async () => {
    expect(await service().list_skills({})).toEqual(
      refuse('unsupported', 'no skill repositories are configured'),
    );
  });
});

describe('get_agent_status', () => {
  const release: KubernetesObject = {
    kind: 'HelmRelease',
    metadata: { name: 'sre', namespace: 'default' },
    spec: { chartRef: { kind: 'OCIRepository', name: 'agent' } },
  };

  it('reports the progress of a new agent', async () => {
    const store = memoryStore({ objects: [release] });
    expect(await service({ store }).get_agent_status({ name: 'sre' })).toMatchObject({
      ok: true,
      value: {
        name: 'sre',
        namespace: 'default',
        verdict: 'progressing',
        summary: 'HelmRelease created; Flux has not reconciled it yet',
      },
    });
  });

  it('reports the pods of an Agent without a release', async () => {
    const store = memoryStore({
      objects: [{ ...release, kind: 'Agent' }],
      workload: { deployment: release, pods: [release], events: [] },
    });
    expect(await service({ store }).get_agent_status({ name: 'sre' })).toMatchObject({
      ok: true,
      value: {
        helmRelease: { exists: false },
        deployment: { exists: true },
        pods: [{ name: 'sre' }],
      },
    });
  });

  it('reports that the pods cannot be read', async () => {
    const store = {
      ...memoryStore({ objects: [release] }),
      workload: () => Promise.resolve(refuse('forbidden', 'pods are not yours')),
    };
    expect(await service({ store }).get_agent_status({ name: 'sre' })).toEqual(
      refuse('forbidden', 'pods are not yours'),
    );
  });
});
