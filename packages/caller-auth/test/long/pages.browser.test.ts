import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { launchBrowser } from '@gateway/test-peers';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { authorizationRequest, exchange, post } from '../broker/harness/client.ts';
import { startGateway, type TestGateway } from '../broker/harness/gateway.ts';

type Browser = Awaited<ReturnType<typeof launchBrowser>>;
type Page = Awaited<ReturnType<Browser['newPage']>>;

const APPLICATION = 'com.example.agent:/callback';

let gateway: TestGateway;
let browser: Browser;
/** The redirect URI of a program that listens on this computer. */
let redirect: string;
const program = createServer((_request, response) => {
  response.setHeader('content-type', 'text/html').end('<title>Done</title>');
});

beforeAll(async () => {
  gateway = await startGateway({
    settings: { clients: [{ clientId: 'agent', name: 'Agent', redirectUris: [APPLICATION] }] },
  });
  browser = await launchBrowser();
  await once(program.listen(0, '127.0.0.1'), 'listening');
  redirect = `http://127.0.0.1:${(program.address() as AddressInfo).port}/callback`;
});
afterAll(async () => {
  await browser.close();
  await gateway.close();
  program.closeAllConnections();
  program.close();
});

/** A user with a browser without cookies. */
const startUser = async () => {
  const context = await browser.newContext();
  onTestFinished(() => context.close());
  const page = await context.newPage();
  const problems: string[] = [];
  page.on('console', (message) => problems.push(message.text()));
  return { page, problems };
};

const request = (changes: Readonly<Record<string, string>> = {}) =>
  authorizationRequest(gateway, { redirect_uri: redirect, ...changes });

const signInAtProvider = async (page: Page, name: string): Promise<void> => {
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('Password').fill('password');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: 'Allow' }).click();
};

const consent = (page: Page) => page.getByRole('heading', { name: 'to use this gateway?' });

const openConsent = async (page: Page, url: URL, name = 'alice'): Promise<void> => {
  await page.goto(url.href);
  await signInAtProvider(page, name);
  await consent(page).waitFor();
};

/** Waits for the page of the program and returns what it received. */
const received = async (page: Page): Promise<URLSearchParams> => {
  await page.waitForURL(`${redirect}*`);
  return new URL(page.url()).searchParams;
};

const readSubject = async (token: unknown): Promise<string> => {
  const outcome = await gateway.broker.verifier.verify(String(token));
  return outcome.ok ? outcome.principal.subject : outcome.code;
};

const allow = async (page: Page, verifier: string): Promise<unknown> => {
  await page.getByRole('button', { name: 'Allow' }).click();
  const code = (await received(page)).get('code') ?? '';
  const { body } = await exchange(gateway, code, verifier, { redirect_uri: redirect });
  return body['access_token'];
};

describe('the consent page in a browser', () => {
  it('sends the refusal of a user to the client', async () => {
    const { page } = await startUser();
    await openConsent(page, request().url);
    await page.getByRole('button', { name: 'Deny' }).click();
    const parameters = await received(page);
    expect(Object.fromEntries(parameters)).toMatchObject({
      error: 'access_denied',
      iss: gateway.url,
      state: 'the state of the client',
    });
    expect(parameters.has('code')).toBe(false);
  });

  it('is used with the keyboard alone, and shows the focus', async () => {
    const { page, problems } = await startUser();
    const { url, verifier } = request();
    await openConsent(page, url);
    const focused = page.locator(':focus');
    await page.keyboard.press('Tab');
    expect(await focused.innerText()).toBe('Allow');
    const outline = await page.evaluate('getComputedStyle(document.activeElement).outlineStyle');
    expect(outline).toBe('solid');
    await page.keyboard.press('Tab');
    expect(await focused.innerText()).toBe('Deny');
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Enter');
    const code = (await received(page)).get('code') ?? '';
    const tokens = await exchange(gateway, code, verifier, { redirect_uri: redirect });
    expect(tokens.status).toBe(200);
    expect(problems).toEqual([]);
  });

  it('sends the result to an application with a scheme of its own', async () => {
    const { page, problems } = await startUser();
    await openConsent(page, request({ client_id: 'agent', redirect_uri: APPLICATION }).url);
    const started = page.waitForEvent('request', (sent) => sent.url().startsWith(APPLICATION));
    await page.getByRole('button', { name: 'Allow' }).click();
    expect(new URL((await started).url()).searchParams.has('code')).toBe(true);
    expect(problems).toEqual([]);
  });
});

it('two users who use one browser each get tokens of their own', async () => {
  const { page } = await startUser();
  const first = request();
  await openConsent(page, first.url);
  const ofAlice = await allow(page, first.verifier);
  // Bob signs in at the provider; the gateway still has the session of Alice.
  await page.context().clearCookies({ name: /^session_/u });
  const second = request({ prompt: 'login' });
  await openConsent(page, second.url, 'bob');
  expect(await page.locator('main').innerText()).toContain('bob@example.com');
  const ofBob = await allow(page, second.verifier);
  expect(await readSubject(ofAlice)).toBe('alice');
  expect(await readSubject(ofBob)).toBe('bob');
});

it('a user signs in a device, and signs out, with the keyboard alone', async () => {
  const { body } = await post(gateway, '/oauth/device_authorization', {
    client_id: 'gateway-cli',
    scope: 'mcp:read',
    resource: gateway.resource,
  });
  const { page } = await startUser();
  await page.goto(`${gateway.url}/oauth/device`);
  const code = page.getByLabel('Code that the device shows');
  await code.fill('AAAA-AAAA');
  await page.keyboard.press('Enter');
  await page.getByRole('alert').waitFor();
  await code.fill(String(body['user_code']));
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Continue' }).press('Enter');
  await signInAtProvider(page, 'alice');
  await consent(page).waitFor();
  await page.getByRole('button', { name: 'Allow' }).press('Enter');
  await page.getByText('The device is signed in.').waitFor();
  const polled = await post(gateway, '/oauth/token', {
    grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
    client_id: 'gateway-cli',
    device_code: String(body['device_code']),
  });
  expect(await readSubject(polled.body['access_token'])).toBe('alice');
  await page.goto(`${gateway.url}/oauth/logout`);
  await page.getByRole('button', { name: 'Sign out' }).press('Enter');
  await page.getByText('You are signed out of this gateway.').waitFor();
  expect(await readSubject(polled.body['access_token'])).toBe('inactive');
});
