import { describe, expect, it } from 'vitest';
import { render } from '../../src/render.ts';
import { validObjects } from '../harness/rendered-objects.ts';

const OAUTH = {
  enabled: true,
  issuer: 'https://login.example.com',
  audiences: ['gateway', 'kubernetes'],
  publicUrl: 'https://agents.example.com',
};

describe('agent-manager with oauth.issuer', () => {
  it('has no permissions when it acts as its callers', async () => {
    const objects = await validObjects('agent-manager', { oauth: { ...OAUTH, downstream: true } });
    expect(objects.map(({ kind }) => kind).filter((kind) => kind.startsWith('Role'))).toEqual([]);
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
