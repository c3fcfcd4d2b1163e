import type { OperationDraft, ValidateResult } from '@gateway/agent-manager-client';
import { describe, expect, it } from 'vitest';
import { agent, release, setUpService } from '../support/service-parts.ts';
import { requirement } from '../requirement.ts';

const VALUES = { agent: { name: 'sre' }, toolset: ['preset:none'] };
const NEW = { name: 'new', modelConfig: 'small', toolset: ['preset:read-only'] };
const SCHEMA = { schemaVersion: '0.6.0', schemaSource: 'embedded' };

const setUp = () => {
  const objects = [release('sre', { suspend: true, values: VALUES }), agent('bare')];
  const { store, service } = setUpService({ objects, takesAnyModel: true });
  const changes: unknown[] = [];
  store.watch(['default'], (change) => changes.push(change));
  const validate = async (draft: OperationDraft<'validate_agent'>): Promise<ValidateResult> => {
    const before = store.contents();
    const answer = await service.validate_agent(draft);
    expect(store.contents()).toEqual(before);
    expect(changes).toEqual([]);
    if (!answer.ok) throw new Error(answer.error.message);
    return answer.value;
  };
  return { service, validate };
};

requirement('4.4/validate-without-writing', () => {
  it('shows the manifests of create_agent, and writes nothing', async () => {
    const { service, validate } = setUp();
    const { manifests, ...verdict } = await validate(NEW);
    expect(verdict).toEqual({ valid: true, mode: 'create', ...SCHEMA });
    const created = await service.create_agent(NEW);
    expect(created.ok && created.value.manifests).toEqual(manifests);
  });

  it('shows the manifests of update_agent, and writes nothing', async () => {
    const { service, validate } = setUp();
    const change = { name: 'sre', toolset: ['tool:a'], force: true };
    const { manifests, ...verdict } = await validate({ ...change, update: true });
    expect(verdict).toMatchObject({ valid: true, mode: 'update' });
    const updated = await service.update_agent(change);
    expect(updated.ok && updated.value.manifests).toEqual(manifests);
  });
});

describe('validate_agent', () => {
  const RUNTIME =
    'values do not satisfy the agent chart schema 0.6.0 (embedded): /agent/runtime: must be one of go, python';

  it('reports all problems of a new agent at once', async () => {
    expect(await setUp().validate({ name: 'sre', toolset: ['x'], runtime: 'rust' })).toEqual({
      valid: false,
      mode: 'create',
      errors: [
        'toolset selector "x" is not preset:<name>, server:<name>, workflow:<name> or tool:<name> (exact names, no whitespace or commas)',
        'modelConfig is required',
        'HelmRelease default/sre already exists (use update_agent)',
        RUNTIME,
      ],
      ...SCHEMA,
    });
  });

  it('reports all problems of a change at once', async () => {
    const change = { name: 'sre', update: true, toolset: [], runtime: 'rust' };
    expect(await setUp().validate(change)).toMatchObject({
      valid: false,
      mode: 'update',
      errors: [
        'toolset is empty; use ["preset:none"] for an agent without tools (an empty list is refused so that "no tools" is never confused with implicit full access)',
        'HelmRelease default/sre is suspended: Flux will not act on a change. Resume it first, or pass force',
        RUNTIME,
      ],
    });
  });

  const CHANGE = { name: 'sre', update: true, force: true };

  it('needs no toolset of a change', async () => {
    expect(await setUp().validate(CHANGE)).toMatchObject({ valid: true });
  });

  it.each([NEW, CHANGE])('asks for the address of every Git repository: %j', async (draft) => {
    const skills = { gitRefs: [{ url: ' ' }] };
    expect((await setUp().validate({ ...draft, skills })).errors).toEqual([
      'skills.gitRefs[0].url is required',
      String.raw`values do not satisfy the agent chart schema 0.6.0 (embedded): /skills/gitRefs/0/url: must match ^(https:\/\/|ssh:\/\/|[A-Za-z0-9_][-A-Za-z0-9_.]*@)`,
    ]);
  });

  it('shows nothing of an agent that has no name', async () => {
    expect(await setUp().validate({})).not.toHaveProperty('manifests');
  });
});

describe('a toolset with names that are unknown here', () => {
  const PRESET =
    'toolset selector "preset:nobody" names no shipped preset (read-only, none, infrastructure, agent-platform, full): the gateway refuses every request of the agent unless its toolsetPresets define it';
  const SERVER =
    'toolset selector "server:nowhere" was not looked up: it selects nothing unless the gateway has this server';
  const toolset = ['preset:nobody', 'preset:full', 'server:nowhere', 'server:nowhere'];

  it('is accepted as given, with warnings', async () => {
    const { service, validate } = setUp();
    const warnings = [PRESET, SERVER];
    expect(await validate({ ...NEW, toolset })).toMatchObject({ valid: true, warnings });
    expect(await validate({ update: true, name: 'sre', toolset })).toMatchObject({ warnings });
    const written = { value: { agent: { toolset }, warnings } };
    expect(await service.create_agent({ ...NEW, toolset })).toMatchObject(written);
    const changed = await service.update_agent({ name: 'new', toolset: ['server:nowhere'] });
    expect(changed).toMatchObject({ value: { warnings: [SERVER] } });
  });

  it.each([
    [['preset:read-only', 'preset:none', 'preset:infrastructure', 'preset:agent-platform']],
    [['preset:full', 'workflow:triage', 'tool:x_a_b']],
  ])('is warned of for no other selector: %j', async (known) => {
    const { service, validate } = setUp();
    expect(await validate({ ...NEW, toolset: known })).not.toHaveProperty('warnings');
    for (const answer of [
      await service.create_agent({ ...NEW, toolset: known }),
      await service.update_agent({ name: 'new', description: 'helps' }),
    ])
      expect(answer.ok && answer.value).not.toHaveProperty('warnings');
  });
});
