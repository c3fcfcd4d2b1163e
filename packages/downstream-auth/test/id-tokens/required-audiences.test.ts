import { expect, it } from 'vitest';
import { toAudienceScope, listRequiredAudiences } from '../../src/id-tokens/id-token.ts';
import { exchangeAt, remoteServer } from '../remote-server.ts';
import { requirement } from '../requirement.ts';

requirement('2.6/auth-audiences-requested', () => {
  it('requests the audiences of all servers that get the ID token, each once', () => {
    const servers = [
      remoteServer({ forwardToken: true, requiredAudiences: ['registry', 'kubernetes'] }),
      remoteServer({ forwardToken: true, requiredAudiences: ['kubernetes', 'ci'] }),
    ];
    expect(listRequiredAudiences(servers)).toEqual(['ci', 'kubernetes', 'registry']);
  });

  it('requests none for servers that do not get the ID token', () => {
    const tokenExchange = exchangeAt('https://dex.remote.example.com/token');
    const servers = [
      remoteServer({ forwardToken: false, requiredAudiences: ['unused'] }),
      remoteServer({ forwardToken: true, tokenExchange, requiredAudiences: ['of-the-exchange'] }),
    ];
    expect(listRequiredAudiences(servers)).toEqual([]);
  });

  it('requests an audience from Dex as a scope', () => {
    expect(toAudienceScope('kubernetes')).toBe('audience:server:client_id:kubernetes');
    expect(toAudienceScope('two words')).toBeUndefined();
  });
});
