import { refuse } from '@gateway/agent-manager-client';
import { describe, expect, it } from 'vitest';
import type { SkillSource } from '../../src/index.ts';
import { agent, createService, object, release, setUpService } from '../support/service-parts.ts';
import { memoryStore } from '../support/memory-store.ts';

const URL = 'https://git.gateway.internal/platform/skills';
const SKILL = { name: 'runbooks', repository: URL, ref: 'main', path: 'runbooks' };

const skills: SkillSource = {
  repositories: [URL],
  list: ({ ref = '' }) => Promise.resolve({ ok: true, value: { skills: [{ ...SKILL, ref }] } }),
};

describe('get_info', () => {
  it('reports the managed namespaces, the chart and the settings', async () => {
    const { service } = setUpService({}, { namespaces: ['default', 'team-a'] });
    const reads = { list: true, get: true, status: true, validate: true, modelConfigs: true };
    const writes = { create: true, update: true, delete: true };
    expect(await service.get_info({})).toEqual({
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
        capabilities: { ...reads, ...writes, skills: false, writesAsCaller: false },
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
    const intervals = { helmReleaseInterval: '10m', ociRepositoryInterval: '30m' };
    const flux = { ...intervals, serviceAccountName: 'installer' };
    expect(await setUpService({}, { skills, flux }).service.get_info({})).toMatchObject({
      value: {
        capabilities: { skills: true },
        flux: { serviceAccountName: 'installer' },
        skillsRepositories: [URL],
      },
    });
  });
});

describe('list_model_configs', () => {
  it('lists the models of a namespace, of any shape', async () => {
    const labels = { 'app.kubernetes.io/managed-by': 'model-manager' };
    const spec = { provider: 'OpenAI', model: 'small-1' };
    const conditions = [{ type: 'Accepted', status: 'False', message: 'no key' }];
    const objects = [
      { ...object('ModelConfig', 'small', spec, { labels }), status: { conditions } },
      object('ModelConfig', 'large', { model: 5 }),
      object('ModelConfig', 'hidden', {}, { namespace: 'team-a' }),
    ];
    const refused = { accepted: false, message: 'no key', managedBy: 'model-manager' };
    expect(await setUpService({ objects }).service.list_model_configs({})).toEqual({
      ok: true,
      value: {
        modelConfigs: [
          { name: 'large', namespace: 'default', accepted: null },
          { name: 'small', namespace: 'default', ...spec, ...refused },
        ],
      },
    });
  });

  it('lists none where every name is taken', async () => {
    const { service } = setUpService({ takesAnyModel: true });
    expect(await service.list_model_configs({})).toEqual({ ok: true, value: { modelConfigs: [] } });
  });
});

describe('list_skills', () => {
  it('lists the skills of the source', async () => {
    const { service } = setUpService({}, { skills });
    const value = { skills: [{ ...SKILL, ref: 'v1' }] };
    expect(await service.list_skills({ ref: 'v1' })).toEqual({ ok: true, value });
  });

  it('is not supported without a source', async () => {
    const refused = refuse('unsupported', 'no skill repositories are configured');
    expect(await setUpService().service.list_skills({})).toEqual(refused);
  });
});

describe('get_agent_status', () => {
  const SRE = { name: 'sre' };

  it('reports the pods of an Agent without a release', async () => {
    const workload = { deployment: release('sre'), pods: [release('sre')], events: [] };
    const { service } = setUpService({ objects: [agent('sre')], workload });
    expect(await service.get_agent_status(SRE)).toMatchObject({
      ok: true,
      value: { helmRelease: { exists: false }, deployment: { exists: true }, pods: [SRE] },
    });
  });

  it('reports that the pods cannot be read', async () => {
    const refused = refuse('forbidden', 'pods are not yours');
    const workload = () => Promise.resolve(refused);
    const store = { ...memoryStore({ objects: [release('sre')] }), workload };
    expect(await createService({ store }).get_agent_status(SRE)).toEqual(refused);
  });
});
