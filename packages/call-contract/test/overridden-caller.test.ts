import { expect, it } from 'vitest';
import { type Caller, type OpenedChannel, NO_SESSION, withOverrides } from '../src/index.ts';

const CLOSED: OpenedChannel = { ok: false, code: 'no-stream' };

/** A caller with every member, of which each read and call is recorded. */
const createCaller = (): { caller: Required<Caller>; reads: string[] } => {
  const reads: string[] = [];
  const values: Required<Caller> = {
    capabilities: { roots: {} },
    takesInputRequired: true,
    takesResourceLinks: true,
    logLevel: 'info',
    identity: 'identity',
    client: 'client',
    user: 'user',
    ask: (request, options) => Promise.resolve({ ok: true, result: { request, options } }),
    notify: () => undefined,
    openNotificationChannel: () => Promise.resolve(CLOSED),
  };
  const caller = new Proxy(values, {
    get(target, member, receiver) {
      reads.push(String(member));
      return Reflect.get(target, member, receiver) as unknown;
    },
  });
  return { caller, reads };
};

it('reads no member of the caller before it is used', () => {
  const { caller, reads } = createCaller();
  withOverrides(caller, { identity: 'other' });
  expect(reads).toEqual([]);
});

it('passes every member on', async () => {
  const { caller, reads } = createCaller();
  const members = Object.keys(caller) as (keyof Caller)[];
  const overridden = withOverrides(caller, {});
  const request = { method: 'roots/list', params: {} };
  const options = { more: true };
  for (const member of members)
    if (typeof caller[member] !== 'function') expect(overridden[member]).toBe(caller[member]);
  reads.length = 0;
  expect(members.map((member) => overridden[member])).not.toContain(undefined);
  expect(await overridden.ask(request, options)).toEqual({
    ok: true,
    result: { request, options },
  });
  overridden.notify(request);
  expect(await overridden.openNotificationChannel('name')).toBe(CLOSED);
  expect(new Set(reads)).toEqual(new Set(members));
});

it('has the other values', () => {
  const overrides = { takesInputRequired: false, identity: 'other', client: 'another' };
  const { caller } = createCaller();
  const { takesInputRequired, identity, client, user } = withOverrides(caller, overrides);
  expect({ takesInputRequired, identity, client }).toEqual(overrides);
  expect(user).toBe('user');
});

it('has no session when the caller opens no channels', async () => {
  const { openNotificationChannel: _none, ...caller } = createCaller().caller;
  expect(await withOverrides(caller, {}).openNotificationChannel('name')).toBe(NO_SESSION);
});
