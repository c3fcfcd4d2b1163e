import { describe, expect, it } from 'vitest';
import type { Principal } from '@gateway/call-contract';
import type { Downstream, DownstreamOutcome } from '../../src/index.ts';
import { testCaller } from '../harness/callers.ts';
import { user, testCredentials } from '../harness/credentials.ts';
import { eventually, testDownstream } from '../harness/downstream.ts';
import { callFeature } from '../harness/feature-servers.ts';
import { startProtectedFeatures } from '../harness/protected-features.ts';

const ada = user('ada');
const bob = user('bob');

const clientFeatures = { sampling: {}, elicitation: { form: {}, url: {} }, roots: {} };

/** A server that ada and bob are signed in to. */
const signedIn = async (generation: 'gen1' | 'sse' | 'gen2') => {
  const features = await startProtectedFeatures(generation, ['ada-1', 'bob-1']);
  const credentials = testCredentials();
  const { downstream } = testDownstream({ credentials, clientFeatures });
  downstream.apply([features.server]);
  await downstream.settled();
  credentials.signIn('features', ada, 'ada-1');
  credentials.signIn('features', bob, 'bob-1');
  await Promise.all([downstream.prepare(ada), downstream.prepare(bob)]);
  return { features, credentials, downstream };
};

/** Follows a resource as a user. */
const follow = async (
  downstream: Downstream,
  principal: Principal,
): Promise<{ readonly updates: unknown[] }> => {
  const updates: unknown[] = [];
  const resource = { server: 'features', uri: 'test://one' };
  const onUpdated = (params: unknown) => updates.push(params);
  const outcome = await downstream.subscribeResource(resource, onUpdated, principal);
  expect(outcome).toMatchObject({ ok: true });
  return { updates };
};

/** Changes the resource; fails while there is no connection. */
const touch = (downstream: Downstream, principal: Principal): Promise<DownstreamOutcome> => {
  const call = { server: 'features', tool: 'touch', arguments: { uri: 'test://one' } };
  return downstream.callTool(call, { principal });
};

const ROOTS = { method: 'roots/list', params: {}, own: false };

const SAMPLING = {
  method: 'sampling/createMessage',
  params: { messages: [], maxTokens: 1 },
  own: false,
};

const ELICITATION = {
  method: 'elicitation/create',
  params: { message: 'Your name?', requestedSchema: { type: 'object', properties: {} } },
  own: false,
};

describe.each(['gen1', 'sse'] as const)('a 2025 server of users (%s)', (generation) => {
  it('asks the user whose connection it is, whatever others are doing', async () => {
    const { downstream } = await signedIn(generation);
    const stop = new AbortController();
    const others = testCaller('bob');
    const hanging = callFeature(
      downstream,
      'hang',
      {},
      { caller: others, principal: bob, signal: stop.signal },
    ).catch(() => 'cancelled');
    const caller = testCaller('ada');
    expect(await callFeature(downstream, 'ask', ROOTS, { caller, principal: ada })).toEqual({
      from: 'ada',
    });
    const log = { level: 'error' };
    const talkative = testCaller('ada', { logLevel: 'debug' });
    await callFeature(downstream, 'log', log, { caller: talkative, principal: ada });
    await eventually('the log message came', () => talkative.notified.length === 1);
    expect([others.asked, others.notified]).toEqual([[], []]);
    stop.abort();
    expect(await hanging).toBe('cancelled');
  });

  it.each([SAMPLING, ELICITATION])('asks that user alone: $method', async (question) => {
    const { downstream } = await signedIn(generation);
    const stop = new AbortController();
    const others = testCaller('bob');
    const options = { caller: others, principal: bob, signal: stop.signal };
    const hanging = callFeature(downstream, 'hang', {}, options).catch(() => 'cancelled');
    const caller = testCaller('ada');
    expect(await callFeature(downstream, 'ask', question, { caller, principal: ada })).toEqual({
      from: 'ada',
    });
    expect(caller.asked).toMatchObject([{ method: question.method }]);
    expect(others.asked).toEqual([]);
    stop.abort();
    await hanging;
  });

  it('reports a change of a resource to the user whose connection it came over', async () => {
    const { downstream } = await signedIn(generation);
    const [hers, his] = await Promise.all([follow(downstream, ada), follow(downstream, bob)]);
    await touch(downstream, ada);
    await eventually('ada hears', () => hers.updates.length === 1);
    await touch(downstream, bob);
    await eventually('bob hears', () => his.updates.length === 1);
    expect(hers.updates).toHaveLength(1);
  });

  it('cancels the call of one user only', async () => {
    const { downstream } = await signedIn(generation);
    const stop = new AbortController();
    const hang = (principal: Principal, signal: AbortSignal) =>
      callFeature(downstream, 'hang', {}, { principal, signal }).catch(() => 'cancelled');
    const later = new AbortController();
    const hers = hang(ada, stop.signal);
    let isOver = false;
    const his = hang(bob, later.signal).finally(() => {
      isOver = true;
    });
    stop.abort();
    expect(await hers).toBe('cancelled');
    await callFeature(downstream, 'seen', {}, { principal: bob });
    expect(isOver).toBe(false);
    later.abort();
    expect(await his).toBe('cancelled');
  });
});

describe.each(['gen1', 'sse'] as const)('the event stream of a user (%s)', (generation) => {
  it('is not requested again and again after its token ended, and works after the next sign-in', async () => {
    const { features, credentials, downstream } = await signedIn(generation);
    const hers = await follow(downstream, ada);
    const before = features.received.length;
    credentials.onRejected = () => ({ ok: false, code: 'sign-in-again', reason: 'it has ended' });
    features.tokens.delete('ada-1');
    features.endStreams();
    await eventually('she must sign in again', () =>
      downstream
        .userServers(ada)
        .some(({ status }) => status === 'reauth_required' || status === 'auth_required'),
    );
    const refusedStreams = () =>
      features.received
        .slice(before)
        .filter(({ method, isAccepted }) => method === 'GET' && !isAccepted);
    features.tokens.add('ada-2');
    credentials.onRejected = undefined;
    credentials.signIn('features', ada, 'ada-2');
    await eventually('she hears again', async () => {
      await touch(downstream, ada);
      return hers.updates.length > 1;
    });
    expect(refusedStreams().length).toBeLessThanOrEqual(1);
  });

  it('continues with the renewed token', async () => {
    const { features, credentials, downstream } = await signedIn(generation);
    const hers = await follow(downstream, ada);
    const before = features.received.length;
    features.tokens.delete('ada-1');
    features.tokens.add('ada-2');
    credentials.onRejected = () => {
      credentials.refresh('features', ada, 'ada-2');
      return { ok: true, credential: { authorization: 'Bearer ada-2', id: 'id of ada-2' } };
    };
    features.endStreams();
    await eventually('she hears again', async () => {
      await touch(downstream, ada);
      return hers.updates.length > 1;
    });
    const refused = features.received.slice(before).filter(({ isAccepted }) => !isAccepted);
    expect(refused.every(({ token }) => token === 'ada-1')).toBe(true);
    expect(credentials.rejections).toHaveLength(1);
  });
});

describe('a legacy SSE server of users', () => {
  it('receives the token of the user with each request, and no other one', async () => {
    const { features, downstream } = await signedIn('sse');
    await Promise.all([touch(downstream, ada), touch(downstream, bob)]);
    expect(new Set(features.received.map(({ token }) => token))).toEqual(
      new Set([undefined, 'ada-1', 'bob-1']),
    );
  });

  it('has a refused request repeated once with a renewed token', async () => {
    const { features, credentials, downstream } = await signedIn('sse');
    features.tokens.delete('ada-1');
    features.tokens.add('ada-2');
    credentials.onRejected = () => {
      credentials.refresh('features', ada, 'ada-2');
      return { ok: true, credential: { authorization: 'Bearer ada-2', id: 'id of ada-2' } };
    };
    expect(await touch(downstream, ada)).toMatchObject({ ok: true });
    expect(credentials.rejections).toHaveLength(1);
    expect(features.received.at(-1)).toMatchObject({ token: 'ada-2', isAccepted: true });
  });

  it('refuses a token that ended with the reason, to its user only', async () => {
    const { features, credentials, downstream } = await signedIn('sse');
    features.tokens.delete('ada-1');
    credentials.onRejected = () => ({ ok: false, code: 'sign-in-again', reason: 'it has ended' });
    const call = (principal: Principal) =>
      downstream.callTool({ server: 'features', tool: 'seen' }, { principal });
    expect(await call(ada)).toEqual({
      ok: false,
      error: { code: 'server.auth-required', server: 'features', reason: 'it has ended' },
    });
    expect(await call(bob)).toMatchObject({ ok: true });
    expect(downstream.userServers(ada)).toMatchObject([{ status: 'reauth_required' }]);
    expect(downstream.userServers(bob)).toMatchObject([{ status: 'connected' }]);
  });
});
