import { expect, it } from 'vitest';
import { testCredentials } from './harness/credentials.ts';
import { testDownstream, viewOf } from './harness/downstream.ts';
import { oauthServer, startProtectedHttp } from './harness/protected-http.ts';

const PROBLEM = 'tokens are not sent over plain HTTP to "tools.example"';

it('gives a server that no token may be sent to the condition TokensAllowed, and no other server', async () => {
  const { url } = await startProtectedHttp([]);
  const tokenProblem = (server: { readonly metadata: { readonly name: string } }) =>
    server.metadata.name === 'plain' ? PROBLEM : undefined;
  const { downstream } = testDownstream({ credentials: { ...testCredentials(), tokenProblem } });
  downstream.apply([oauthServer('plain', url), oauthServer('fine', url)]);
  await downstream.settled();
  const conditionOf = (name: string) =>
    viewOf(downstream, name).status.conditions.find(({ type }) => type === 'TokensAllowed');
  expect(conditionOf('plain')).toEqual({
    type: 'TokensAllowed',
    status: 'False',
    reason: 'PlainHttp',
    message: PROBLEM,
    lastTransitionTime: expect.stringMatching(/^\d{4}-\d\d-\d\dT/u) as unknown,
  });
  expect(conditionOf('fine')).toBeUndefined();
});
