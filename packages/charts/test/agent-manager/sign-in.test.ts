import { describe, expect, it } from 'vitest';
import { render, type ManifestObject } from '../../src/render.ts';
import { validObjects } from '../harness/rendered-objects.ts';

const OAUTH = {
  enabled: true,
  issuer: 'https://login.example.com',
  audiences: ['gateway', 'kubernetes'],
  publicUrl: 'https://agents.example.com',
};

interface PodSpec {
  readonly template: {
    readonly spec: { readonly containers: readonly [{ readonly args: readonly string[] }] };
  };
}

const argsOf = (objects: readonly ManifestObject[]): readonly string[] => {
  const deployment = objects.find(({ kind }) => kind === 'Deployment');
  return (deployment?.['spec'] as PodSpec).template.spec.containers[0].args;
};

describe('agent-manager with oauth.issuer', () => {
  it('requires tokens of the issuer', async () => {
    const args = argsOf(await validObjects('agent-manager', { oauth: OAUTH }));
    expect(args.slice(args.indexOf('--enable-oauth'))).toEqual([
      '--enable-oauth',
      '--oauth-issuer',
      'https://login.example.com',
      '--public-url',
      'https://agents.example.com',
      '--oauth-audiences',
      'gateway,kubernetes',
    ]);
  });

  it('has no permissions when it acts as its callers', async () => {
    const objects = await validObjects('agent-manager', { oauth: { ...OAUTH, downstream: true } });
    expect(argsOf(objects)).toContain('--downstream-oauth');
    expect(objects.map(({ kind }) => kind).filter((kind) => kind.startsWith('Role'))).toEqual([]);
  });

  it('requires no tokens by default', async () => {
    expect(argsOf(await validObjects('agent-manager', {}))).not.toContain('--enable-oauth');
  });

  it.each([
    [
      { ...OAUTH, enabled: false },
      'oauth.issuer is set, and tokens are not required: set oauth.enabled',
    ],
    [
      { enabled: true, issuer: 'https://login.example.com' },
      'oauth.issuer is set without the URL of clients: set oauth.publicUrl',
    ],
    [
      { enabled: true, downstream: true },
      'oauth.downstream is set, and the service does not verify the tokens that it sends to the cluster: set oauth.issuer',
    ],
  ])('refuses %j', async (oauth, problem) => {
    expect(await render('agent-manager', { oauth })).toMatchObject({
      error: expect.stringContaining(problem) as unknown,
    });
  });
});
