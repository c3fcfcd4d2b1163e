import { CookieBrowser } from '@gateway/test-peers';
import { describe, expect, it } from 'vitest';
import type { PendingSignIn } from '../../src/user/sessions.ts';
import { createPortalCookies } from '../../src/user/cookies.ts';

const PUBLIC_URL = new URL('https://portal.example.com/');
const MINUTE = 60_000;

const pendingOf = (state: string, returnTo = PUBLIC_URL.href): PendingSignIn => ({
  ...{ state, nonce: `nonce of ${state}`, verifier: `verifier of ${state}`, returnTo },
});

/** The cookies of a portal in one browser. */
const browserOf = ({ publicUrl = PUBLIC_URL, key = 1, clock = { now: 0 } } = {}) => {
  const cookies = createPortalCookies({
    ...{ publicUrl, key: new Uint8Array(32).fill(key), now: () => clock.now },
  }).signIn;
  const { jar } = new CookieBrowser();
  const url = new URL('auth/callback', publicUrl);
  const request = () => ({ headers: { cookie: jar.header(url) ?? '' } });
  return {
    clock,
    header: () => request().headers.cookie,
    keep: (pending: PendingSignIn) => {
      jar.store([...cookies.keep(request(), pending)], url);
      clock.now += 1;
    },
    read: (state: string, headers = request().headers) => cookies.read({ headers }, state),
    remove: (state: string) => jar.store([cookies.remove(state)], url),
  };
};

describe('a sign-in that waits', () => {
  it('is read by its state, and says nothing to the browser', () => {
    const browser = browserOf();
    browser.keep(pendingOf('one'));
    browser.keep(pendingOf('two'));
    expect(browser.read('one')).toMatchObject(pendingOf('one'));
    expect(browser.read('two')).toMatchObject(pendingOf('two'));
    expect(browser.read('three')).toBeUndefined();
    const bytes = browser.header().split(/[=;]/u);
    const texts = bytes.map((text) => Buffer.from(text, 'base64url').toString('latin1'));
    expect(texts.join()).not.toContain('verifier');
  });

  it('ends alone', () => {
    const browser = browserOf();
    browser.keep(pendingOf('one'));
    browser.keep(pendingOf('two'));
    browser.remove('one');
    expect(browser.read('one')).toBeUndefined();
    expect(browser.read('two')).toBeDefined();
  });

  it('ends after ten minutes, also in a browser that keeps the cookie', () => {
    const browser = browserOf();
    browser.keep(pendingOf('one'));
    browser.clock.now = 10 * MINUTE;
    expect(browser.read('one')).toBeDefined();
    browser.clock.now += 1;
    expect(browser.read('one')).toBeUndefined();
  });

  it('is refused when a bit of it has changed, or as that of another state', () => {
    const browser = browserOf();
    browser.keep(pendingOf('one'));
    const [name = '', value = ''] = browser.header().split('=');
    for (let at = 0; at < value.length; at += 7) {
      const other = value[at] === 'A' ? 'B' : 'A';
      const changed = `${value.slice(0, at)}${other}${value.slice(at + 1)}`;
      expect(browser.read('one', { cookie: `${name}=${changed}` })).toBeUndefined();
    }
    browser.keep(pendingOf('two'));
    const second = browser.header().split('; ')[1]?.split('=')[0] ?? '';
    expect(browser.read('two', { cookie: `${second}=${value}` })).toBeUndefined();
    expect(browser.read('one', { cookie: `${name}=` })).toBeUndefined();
  });

  it('of a portal with another key or another path is unknown', () => {
    const browser = browserOf();
    browser.keep(pendingOf('one'));
    const headers = { cookie: browser.header() };
    expect(browserOf({ key: 2 }).read('one', headers)).toBeUndefined();
    const publicUrl = new URL('tools/', PUBLIC_URL);
    expect(browserOf({ publicUrl }).read('one', headers)).toBeUndefined();
  });
});

describe('the sign-ins of a browser', () => {
  const addressOf = (chars: number): string => {
    const names = Array.from({ length: chars / 10 }, (_, at) => `k8s.tool${at % 10}${at * 7919}`);
    return new URL(`agents/new?tools=${names.join('+')}`.slice(0, chars), PUBLIC_URL).href;
  };

  it('fit into a request: the oldest are removed', () => {
    const browser = browserOf();
    for (let at = 0; at < 100; at += 1) browser.keep(pendingOf(`state ${at}`, addressOf(1_000)));
    expect(browser.header().length).toBeLessThan(7_000);
    expect(browser.read('state 99')).toBeDefined();
    expect(browser.read('state 98')).toBeDefined();
    expect(browser.read('state 0')).toBeUndefined();
  });

  it('come back to long addresses', () => {
    const browser = browserOf();
    browser.keep(pendingOf('one', addressOf(4_000)));
    expect(browser.read('one')?.returnTo).toBe(addressOf(4_000));
  });

  it('come back to the first page when no cookie has room for the address', () => {
    const browser = browserOf();
    const noise = Buffer.from(crypto.getRandomValues(new Uint8Array(4_000))).toString('hex');
    browser.keep(pendingOf('one', `${PUBLIC_URL.href}?${noise}`));
    expect(browser.read('one')?.returnTo).toBe(PUBLIC_URL.href);
    expect(browser.header().length).toBeLessThan(600);
  });
});
