import type { AgentService } from '@gateway/agent-releases';
import { describe, expect, it } from 'vitest';
import { createCallerServices, createSharedService } from '../../src/operations/run-operation.ts';

const SERVICE = {} as AgentService;
const TOKEN = 'aGVhZGVy.Y2xhaW1z.c2lnbmF0dXJl';

describe('the services of callers', () => {
  it('act with the token of the caller', () => {
    const tokens: string[] = [];
    const serviceOf = createCallerServices((token) => {
      tokens.push(token);
      return SERVICE;
    });
    expect(serviceOf({ name: 'alice', token: TOKEN })).toEqual({ ok: true, value: SERVICE });
    expect(tokens).toEqual([TOKEN]);
  });

  it.each([
    ['no caller', undefined],
    ['an opaque token', { name: 'alice', token: 'opaque' }],
    ['no token', { name: 'alice', token: '' }],
  ])('do not act for %s', (_title, caller) => {
    const serviceOf = createCallerServices(() => {
      throw new Error('must not be called');
    });
    expect(serviceOf(caller)).toMatchObject({
      ok: false,
      error: {
        code: 'unauthenticated',
        message: 'unauthorized: no identity token to act with towards the Kubernetes API',
      },
    });
  });
});

describe('the shared service', () => {
  it('acts for every caller', () => {
    const serviceOf = createSharedService(SERVICE);
    expect(serviceOf(undefined)).toEqual({ ok: true, value: SERVICE });
    expect(serviceOf({ name: 'alice', token: TOKEN })).toEqual({ ok: true, value: SERVICE });
  });
});
