import type { OperationDraft } from '@gateway/agent-manager-client';
import { describe, expect, it } from 'vitest';
import type { KubernetesObject } from '../../src/store/agent-store.ts';
import { requirement } from '../requirement.ts';
import { agent, object, refusal, setUpService } from '../support/service-parts.ts';

const toolset = ['preset:read-only', 'workflow:incident-triage'];
const TEXTS = { displayName: 'SRE', description: 'helps', systemMessage: 'Be brief.\nBe kind.' };
const SRE: OperationDraft<'create_agent'> = {
  name: 'sre',
  ...TEXTS,
  modelConfig: 'small',
  toolset,
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

const VALUES = { agent: { name: 'sre', ...TEXTS }, modelConfig: { name: 'small' }, toolset };

const setUp = (objects: readonly KubernetesObject[] = [], parts = {}) =>
  setUpService({ objects, takesAnyModel: true }, parts);
const createIn = (objects: readonly KubernetesObject[]) => setUp(objects).service.create_agent(SRE);
const named = (name: string, metadata = {}) => object('HelmRelease', name, undefined, metadata);

describe('create_agent', () => {
  it('writes the source and the release, and shows both and the agent', async () => {
    const { store, service } = setUp();
    const answer = await service.create_agent(SRE);
    const unknown = { ready: null, accepted: null };
    const flags = { ready: null, suspended: false, gitOpsOwned: false, deleting: false };
    const replicas = { replicas: 0, readyReplicas: 0, availableReplicas: 0 };
    expect(answer).toEqual({
      ok: true,
      value: {
        agent: {
          name: 'sre',
          namespace: 'default',
          exists: false,
          ...TEXTS,
          modelConfig: 'small',
          toolset,
          ...unknown,
          managed: 'helmrelease',
          helmRelease: {
            name: 'sre',
            namespace: 'default',
            ...flags,
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
          agent: { exists: false, ...unknown, conditions: [] },
          helmRelease: { exists: true, ...flags, conditions: [], history: [] },
          deployment: { exists: false, ...replicas, conditions: [] },
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
    const { store, service } = setUp();
    await service.create_agent(SRE);
    const [source] = store.contents();
    expect(await service.create_agent({ ...SRE, name: 'other' })).toMatchObject({
      value: { created: { ociRepository: false, helmRelease: true } },
    });
    expect(store.contents()[0]).toBe(source);
    expect(store.contents()).toHaveLength(3);
  });

  it('names the account that Flux acts as, where one is configured', async () => {
    const intervals = { helmReleaseInterval: '1m', ociRepositoryInterval: '2m' };
    const flux = { ...intervals, serviceAccountName: 'deployer' };
    const { store, service } = setUp([], { flux });
    await service.create_agent(SRE);
    expect(store.contents().map(({ spec }) => spec)).toMatchObject([
      { interval: '2m' },
      { interval: '1m', serviceAccountName: 'deployer' },
    ]);
  });

  it('refuses the name of a release of another chart, and of a release behind an Agent', async () => {
    const taken = (name: string) =>
      refusal(
        `conflict: HelmRelease default/${name} already exists; use update_agent to change it`,
      );
    expect(await createIn([named('sre')])).toMatchObject(taken('sre'));
    expect(await createIn([named('behind'), agent('sre', 'behind')])).toMatchObject(
      taken('behind'),
    );
  });

  it('refuses the name of a release that is being deleted, and says so in a trial too', async () => {
    const { service } = setUp([named('sre', { deletionTimestamp: '2026-01-01T00:00:00Z' })]);
    const text =
      'HelmRelease default/sre is being deleted; try again when it is gone, or pick another name';
    expect(await service.create_agent(SRE)).toMatchObject({
      error: { code: 'conflict', message: `conflict: ${text}` },
    });
    expect(await service.validate_agent(SRE)).toMatchObject({ value: { errors: [text] } });
  });

  it('refuses values that the chart does not accept, with all problems', async () => {
    const { store, service } = setUp();
    const draft = { ...SRE, runtime: 'rust', displayName: 'x'.repeat(64) };
    expect(await service.create_agent(draft)).toMatchObject({
      error: {
        code: 'invalid_request',
        message:
          'invalid request: values do not satisfy the agent chart schema 0.6.0 (embedded): /agent/displayName: must have at most 63 characters; /agent/runtime: must be one of go, python',
      },
    });
    expect(store.contents()).toEqual([]);
  });

  const WRONG = { name: 'Bad', toolset: [], modelConfig: ' ', runtime: 'rust' };
  it.each<[OperationDraft<'create_agent'>, string]>([
    [{ ...WRONG, toolNames: [], namespace: 'x' }, 'namespace "x" is not managed'],
    [{ ...WRONG, toolNames: [] }, 'toolNames never narrowed any'],
    [WRONG, 'name "Bad" must be a DNS-112'],
    [{ ...WRONG, name: 'taken' }, 'toolset is empty; use ["pres'],
    [{ ...SRE, runtime: 'rust' }, 'modelConfig "small" does not'],
  ])(
    'refuses in the order namespace, toolNames, name, toolset, model: %j',
    async (draft, reason) => {
      const { service } = setUpService({ objects: [named('taken')] });
      const answer = await service.create_agent(draft);
      expect(answer.ok ? '' : answer.error.message).toContain(`invalid request: ${reason}`);
    },
  );

  it('refuses a name that is taken before its model', async () => {
    const { service } = setUpService({ objects: [named('sre')] });
    expect(await service.create_agent({ ...SRE, runtime: 'rust' })).toMatchObject(
      refusal('conflict: HelmRelease default/sre already exists; use update_agent to change it'),
    );
  });
});

requirement('4.4/as-given', () => {
  it('is written as it was given, duplicates and order included', async () => {
    const { store, service } = setUp();
    const given = ['tool:b', 'preset:unheard-of', 'tool:b', 'server:a', 'workflow:gone'];
    expect(await service.create_agent({ ...SRE, toolset: given })).toMatchObject({
      ok: true,
      value: { agent: { toolset: given } },
    });
    expect(store.contents()[1]?.spec).toMatchObject({ values: { toolset: given } });
  });
});
