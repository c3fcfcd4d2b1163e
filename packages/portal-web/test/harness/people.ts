import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestConfigDirectory, type ConfigDirectory } from '@gateway/repo-checks';
import { findFreePorts } from '@gateway/test-peers';
import type { Page } from 'playwright-core';
import { Closers, untilOk } from './portal.ts';
import { startAgentManager, startGateway, startPortalProgram } from './programs.ts';
import { writeModelConfig } from './sample-agents.ts';

/** The addresses of services that refer to each other, before they are started. */
export interface Addresses {
  readonly gateway: string;
  /** With a slash at its end. */
  readonly portal: string;
  /** A directory for files, which is removed at the end. */
  readonly config: ConfigDirectory;
}

/** How people sign in. */
export interface SignInSetup {
  /** `auth` in the configuration of the gateway. */
  readonly auth: object;
  /** The servers behind the gateway, by name. */
  readonly servers: Readonly<Record<string, object>>;
  readonly portalArgs: readonly string[];
  /** Further arguments of agent-manager, which stores agents in files unless `--kubernetes` is one of them. */
  readonly agentManagerArgs?: readonly string[];
  /** Variables of all programs. */
  readonly env?: NodeJS.ProcessEnv;
}

/** A portal in which people sign in. */
export interface PeoplePortal {
  /** With a slash at its end. */
  readonly url: string;
  readonly gatewayUrl: string;
  readonly agentManagerUrl: string;
  readonly close: () => Promise<void>;
}

/** Returns the arguments of an agent-manager with a directory of its own. */
const fileStore = async (closers: Closers): Promise<readonly string[]> => {
  const store = await mkdtemp(join(tmpdir(), 'portal-agents-'));
  closers.add({ stop: () => rm(store, { recursive: true, force: true }) });
  await writeModelConfig(store);
  return ['--store', store];
};

const startAll = async (
  { gateway, portal, config }: Addresses,
  { auth, servers, portalArgs, agentManagerArgs = [], env = {} }: SignInSetup,
  closers: Closers,
): Promise<Omit<PeoplePortal, 'close'>> => {
  config.config({ auth });
  for (const [name, spec] of Object.entries(servers)) config.server(name, spec);
  const store = agentManagerArgs.includes('--kubernetes') ? [] : await fileStore(closers);
  const args = [...store, ...agentManagerArgs];
  const { port } = new URL(gateway);
  const [agentManager] = await Promise.all([
    startAgentManager({ args, env }).then((started) => closers.add(started)),
    startGateway(config.path, { port: Number(port), env }).then((started) => closers.add(started)),
  ]);
  await untilOk(`${gateway}/readyz`);
  const listen = ['--port', new URL(portal).port, '--public-url', portal];
  const services = ['--gateway', `${gateway}/mcp`, '--agent-manager', agentManager.url];
  closers.add(await startPortalProgram([...listen, ...services, ...portalArgs], env));
  return { url: portal, gatewayUrl: gateway, agentManagerUrl: agentManager.url };
};

/** Starts a gateway, agent-manager and a portal. The caller closes it. */
export const startPeoplePortal = async (
  setUp: (addresses: Addresses) => Promise<SignInSetup>,
): Promise<PeoplePortal> => {
  const [gatewayPort = 0, portalPort = 0] = await findFreePorts(2);
  const config = createTestConfigDirectory();
  const closers = new Closers();
  const close = async (): Promise<void> => {
    await closers.close();
    config.remove();
  };
  const addresses = {
    gateway: `http://127.0.0.1:${gatewayPort}`,
    portal: `http://127.0.0.1:${portalPort}/`,
    config,
  };
  try {
    return { ...(await startAll(addresses, await setUp(addresses), closers)), close };
  } catch (error) {
    await close();
    throw error;
  }
};

const MOST_PAGES = 10;

/** Does what a user does on the pages of a sign-in: name, password, consent. Ends when the page has what `end` locates. */
export const passSignIn = async (page: Page, login: string, end: string): Promise<void> => {
  const password = page.locator('input[type=password]');
  const allow = page.getByRole('button', { name: 'Allow', exact: true });
  for (let pages = 0; pages < MOST_PAGES; pages += 1) {
    await password.or(allow).or(page.locator(end)).first().waitFor();
    if ((await page.locator(end).count()) > 0) return;
    const asks = (await password.count()) > 0;
    if (asks) {
      await page.locator('input[name=login]').fill(login);
      await password.fill('password');
    }
    await Promise.all([
      page.waitForEvent('framenavigated', (frame) => frame === page.mainFrame()),
      asks ? page.locator('button[type=submit]').click() : allow.click(),
    ]);
  }
  throw new Error(`the sign-in does not end: ${page.url()}`);
};

/** Opens a path of a portal, signs a user in, and waits for the page that was asked for. */
export const signInAt = async (
  page: Page,
  { url }: Pick<PeoplePortal, 'url'>,
  { login, path = '' }: { readonly login: string; readonly path?: string },
): Promise<void> => {
  await page.goto(new URL(path, url).href);
  await Promise.all([
    page.waitForEvent('framenavigated', (frame) => frame === page.mainFrame()),
    page.getByRole('link', { name: 'Sign in' }).click(),
  ]);
  await passSignIn(page, login, 'nav[aria-label=Pages]');
};

/** Chooses to sign out in the menu of the user. */
export const chooseSignOut = async (page: Page): Promise<void> => {
  await page.locator('header').getByRole('button').last().click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
};

/** Signs the user of a page out, and waits until the page has been left. */
export const signOutAt = async (page: Page): Promise<void> => {
  await Promise.all([
    page.waitForEvent('framenavigated', (frame) => frame === page.mainFrame()),
    chooseSignOut(page),
  ]);
};
