import { ANONYMOUS, createPrincipal } from '@gateway/call-contract';
import type { Principal } from '@gateway/call-contract';
import { CookieBrowser, signIn, createTestUser } from '@gateway/test-peers';
import type { VisitedPage } from '@gateway/test-peers';
import { describe, expect, it } from 'vitest';
import { scene, type SceneOptions } from '../../sign-in/test-gateway.ts';

const ISSUER = 'https://people.example';
const BOB = createPrincipal({ issuer: ISSUER, subject: 'u-17', email: 'bob@example.com' });

const opened = async (options: SceneOptions = {}, principal: Principal = BOB) => {
  const all = await scene(options);
  const link = await all.gateway.link(all.tools, principal);
  const isEnd = ({ href }: URL): boolean => href.startsWith(all.issuer.issuer);
  const browser = new CookieBrowser({ isEnd });
  return { ...all, link, browser, page: await browser.open(link) };
};

type HtmlForm = VisitedPage['forms'][number];

const formOf = ({ forms: [form] }: VisitedPage): HtmlForm => {
  if (form === undefined) throw new Error('the page has no form');
  return form;
};

const press = (browser: CookieBrowser, page: VisitedPage, decision: string): Promise<VisitedPage> =>
  browser.submit(page, formOf(page), {}, { name: 'decision', value: decision, text: '' });

const EXPIRED = 'Authentication session expired. Please try again.';
const INVALID = 'Authentication session invalid. Please try again.';

describe('the link of a sign-in in a browser that is not signed in to the gateway', () => {
  it('shows the user, how they signed in, the gateway, the server and the provider', async () => {
    const { page, gateway, issuer } = await opened();
    expect(page.status).toBe(200);
    for (const text of [
      '<h1>Connect “tools”?</h1>',
      ISSUER,
      gateway.publicUrl.host,
      new URL(issuer.issuer).host,
      'Continue only if you are bob@example.com',
    ])
      expect(page.text).toContain(text);
    expect(issuer.count('/auth')).toBe(0);
    // It is framed by no site and stored by no browser.
    expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(page.headers.get('x-frame-options')).toBe('DENY');
    expect(page.headers.get('cache-control')).toBe('no-store');
  });

  it('says that everyone gets access where users do not sign in', async () => {
    const { page } = await opened({}, ANONYMOUS);
    expect(page.text).toContain('everyone who can reach this gateway');
    expect(page.text).not.toContain('anonymous');
  });

  it('shows names as text', async () => {
    const subject = '<b>admin</b>';
    const { page } = await opened({}, createPrincipal({ issuer: ISSUER, subject }));
    expect(page.text).toContain('&lt;b&gt;admin&lt;/b&gt;');
    expect(page.text).not.toContain(subject);
  });

  it('shows the characters of a name that are invisible or change the direction of text', async () => {
    const subject = 'eve\u202E\u2066\u200B\n\u2028you';
    const { page } = await opened({}, createPrincipal({ issuer: ISSUER, subject }));
    expect(page.text).toContain(
      'Continue only if you are eve\uFFFD\uFFFD\uFFFD\uFFFD\uFFFDyou and',
    );
    expect(page.text).not.toMatch(/[\u202E\u2066\u200B\u2028]/);
  });

  it('leads to the provider after the button, twice in the same browser', async () => {
    const { page, browser, gateway, tools } = await opened();
    const first = await press(browser, page, 'continue');
    expect(first.isEnd).toBe(true);
    const second = await press(browser, page, 'continue');
    expect(second.url).toBe(first.url);
    expect(await gateway.request(tools, BOB)).toBe('sign-in-required');
  });

  it('ends with the button that cancels', async () => {
    const { page, browser, link } = await opened();
    const cancelled = await press(browser, page, 'cancel');
    expect(cancelled.status).toBe(400);
    expect((await browser.open(link)).text).toContain(EXPIRED);
  });
});

describe('the form that confirms a sign-in', () => {
  it('is refused in a second browser after the first one used it', async () => {
    const { page, browser, link } = await opened();
    const other = new CookieBrowser({ isEnd: () => false });
    const shown = await other.open(link);
    expect((await press(browser, page, 'continue')).isEnd).toBe(true);
    const refused = await press(other, shown, 'continue');
    expect(refused.status).toBe(400);
    expect(refused.text).toContain(INVALID);
  });

  it('is refused with the token that another browser received, or without a cookie', async () => {
    const { page, link } = await opened();
    const victim = new CookieBrowser();
    await victim.open(link);
    for (const browser of [victim, new CookieBrowser()]) {
      const refused = await press(browser, page, 'continue');
      expect(refused.status).toBe(400);
      expect(refused.text).toContain(INVALID);
    }
  });

  it.each([
    ['origin', 'https://attacker.example'],
    ['sec-fetch-site', 'cross-site'],
    ['sec-fetch-site', 'same-site'],
  ])('is refused when a page of another site sent it: %s: %s', async (name, value) => {
    const { page, browser } = await opened();
    const body = new URLSearchParams({ decision: 'continue' });
    for (const [field, { value: text }] of formOf(page).fields) body.set(field, text);
    const init = { method: 'POST', body, headers: { [name]: value } };
    const refused = await browser.request(new URL(formOf(page).action, page.url), init);
    expect(refused.status).toBe(400);
    expect(await refused.text()).toContain(INVALID);
    expect((await press(browser, page, 'continue')).isEnd).toBe(true);
  });

  it('is refused after the end of the sign-in', async () => {
    const { page, browser, link, gateway } = await opened();
    const bob = new CookieBrowser();
    expect((await signIn(link, createTestUser('bob'), { browser: bob })).status).toBe(200);
    expect((await press(browser, page, 'continue')).text).toContain(EXPIRED);
    expect(gateway.lines.join('\n')).not.toContain('failed');
  });

  it('of another sign-in is refused', async () => {
    const { page, browser, gateway, tools } = await opened();
    const other = await gateway.link(tools, BOB);
    const state = new URL(other).searchParams.get('state') ?? '';
    const refused = await browser.submit(page, formOf(page), { state, decision: 'continue' });
    expect(refused.text).toContain(INVALID);
  });

  it('that is too long is refused', async () => {
    const { page, browser } = await opened();
    const refused = await browser.submit(page, formOf(page), { x: 'x'.repeat(5_000) });
    expect(refused.status).toBe(400);
  });
});

describe('a sign-in with another account', () => {
  it.each([
    ['does not list its prompts', undefined, 'select_account'],
    ['lists the choice of an account', ['login', 'select_account'], 'select_account'],
    ['lists only the password', ['none', 'login'], 'login'],
  ])('is requested from a provider that %s', async (_what, supported, prompt) => {
    const metadataFields = { prompt_values_supported: supported };
    const { page, browser } = await opened({ provider: { metadataFields } });
    const usual = await press(browser, page, 'continue');
    expect(new URL(usual.url).searchParams.get('prompt') ?? '').not.toContain(prompt);
    const other = await press(browser, page, 'other-account');
    expect((new URL(other.url).searchParams.get('prompt') ?? '').split(' ')).toContain(prompt);
  });
});

describe('a browser without a session, where browsers sign in to the gateway', () => {
  const SIGN_IN = 'https://gateway.example/sign-in';
  type Kind = 'same' | 'other' | 'signed-out';

  const linkAt = async (kindOf: () => Kind) => {
    const all = await scene({
      gateway: {
        browserUser: (_request, _response, { state }) => {
          const kind = kindOf();
          const signInUrl = `${SIGN_IN}?state=${state}`;
          return Promise.resolve(kind === 'signed-out' ? { kind, signInUrl } : { kind });
        },
      },
    });
    return { ...all, link: new URL(await all.gateway.link(all.tools, BOB)) };
  };

  it('is led to that sign-in, and then to the provider without a page', async () => {
    let kind: Kind = 'signed-out';
    const { link, issuer } = await linkAt(() => kind);
    const browser = new CookieBrowser();
    const away = await browser.request(link);
    expect(away.status).toBe(302);
    expect(away.headers.get('location')).toBe(`${SIGN_IN}${link.search}`);
    kind = 'same';
    const back = await browser.request(new URL(`${link.href}&code=abc`));
    expect(back.status).toBe(302);
    expect(back.headers.get('location')?.startsWith(issuer.issuer)).toBe(true);
  });

  it.each([
    ['as another user', 'other', '&code=abc', INVALID],
    ['and accepts no cookie', 'signed-out', '&code=abc', INVALID],
    ['and is denied', 'signed-out', '&error=access_denied', 'Authentication was denied or failed.'],
  ] as const)('that signs in %s is refused', async (_how, kind, answer, sentence) => {
    const { link } = await linkAt(() => kind);
    const page = await new CookieBrowser().open(link.href + answer);
    expect(page.status).toBe(400);
    expect(page.text).toContain(sentence);
  });
});
