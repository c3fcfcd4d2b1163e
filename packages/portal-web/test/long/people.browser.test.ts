import { createAgentManagerClient } from '@gateway/agent-manager-client';
import { listAccessibilityProblems } from '@gateway/test-peers';
import type { APIResponse, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { startBrokerPortal } from '../harness/broker-portal.ts';
import { portalSuiteOf } from '../harness/portal-suite.ts';
import { passSignIn, signOutAt } from '../harness/people.ts';

const { portal, open, openAs } = portalSuiteOf(async () => {
  const started = await startBrokerPortal();
  const client = createAgentManagerClient({ baseUrl: started.agentManagerUrl });
  const toolset = ['server:mail', 'server:diary'];
  const created = await client.createAgent({ name: 'writer', modelConfig: 'claude', toolset });
  expect(created).toMatchObject({ ok: true });
  return started;
});

const resolved = (page: Page, count: number) =>
  page.getByRole('heading', { name: `Resolves to, for you (${count})` });
const unmatched = (page: Page) => page.getByText('(matches nothing for you)');
const offer = (page: Page) => page.getByRole('button', { name: 'Sign in to diary' });

const signInToDiary = async (page: Page, login: string): Promise<void> => {
  await offer(page).first().click();
  const [tab] = await Promise.all([
    page.context().waitForEvent('page'),
    page.getByRole('link', { name: 'Continue on the page of the provider' }).click(),
  ]);
  await passSignIn(tab, login, 'text=/signed in|connected|close this/i');
  await tab.close();
};

it('a sign-in offered on the card changes the card of this user, and of no one else', async () => {
  const [alice, bob] = [
    await openAs('alice', 'agents/default/writer'),
    await openAs('bob', 'agents/default/writer'),
  ];
  for (const { page } of [alice, bob]) {
    await resolved(page, 3).waitFor();
    await unmatched(page).waitFor();
    await offer(page).waitFor();
  }
  expect(await listAccessibilityProblems(alice.page)).toEqual([]);
  await signInToDiary(alice.page, 'alice');
  await resolved(alice.page, 6).waitFor();
  await alice.page.getByText('x_diary_whoami').waitFor();
  expect(await unmatched(alice.page).count()).toBe(0);
  expect(await offer(alice.page).count()).toBe(0);
  await bob.page.reload();
  await resolved(bob.page, 3).waitFor();
  await offer(bob.page).waitFor();
  expect(await bob.page.getByText('x_diary_whoami').count()).toBe(0);
});

it('a sign-in reaches all of a page, when a part has read before it and another part after it', async () => {
  const { page } = await openAs('heidi', 'agents/default/writer');
  await resolved(page, 3).waitFor();
  let before: APIResponse | undefined;
  let isWatched = true;
  await page.route('**/mcp', async (route) => {
    const body = route.request().postData() ?? '';
    const isResolution = body.includes('filter_tools');
    const response = isResolution && isWatched ? before : undefined;
    const answer = response ?? (await route.fetch());
    if (isResolution) before ??= answer;
    await route.fulfill({ response: answer });
    if ((await answer.text()).includes('x_diary_whoami')) isWatched = false;
  });
  await page.reload();
  await signInToDiary(page, 'heidi');
  await resolved(page, 6).waitFor();
});

it('two people side by side see different catalogs, and select a server without a sign-in', async () => {
  const [carol, dave] = [
    await openAs('carol', 'agents/new?step=Tools'),
    await openAs('dave', 'agents/new?step=Tools'),
  ];
  for (const { page } of [carol, dave]) {
    await page.getByRole('button', { name: /^Registered servers/ }).click();
    await page.getByRole('button', { name: 'diary Sign-in required' }).click();
    await page.getByRole('checkbox', { name: 'All tools of diary' }).click();
    await page.getByText('selected without a sign-in').waitFor();
  }
  await signInToDiary(carol.page, 'carol');
  await carol.page.getByRole('button', { name: 'diary 3 tools' }).waitFor();
  await resolved(carol.page, 3).waitFor();
  await dave.page.reload();
  await resolved(dave.page, 0).waitFor();
  await dave.page.getByRole('button', { name: /^Registered servers/ }).click();
  await dave.page.getByRole('button', { name: 'diary Sign-in required' }).waitFor();
});

it('tools see the user who is signed in at the portal', async () => {
  for (const login of ['erin', 'frank']) {
    const { page } = await openAs(login, 'catalog/x_mail_whoami?tab=try');
    await page.getByRole('button', { name: 'Call', exact: true }).click();
    // The tool says nothing about itself, and so may destroy something.
    const question = page.getByRole('dialog', { name: 'Call a tool that may be destructive?' });
    await question.getByRole('button', { name: 'Call', exact: true }).click();
    await page.getByText(`"subject":"${login}"`).waitFor();
  }
  expect(portal.mail.calls('whoami').map(({ subject }) => subject)).toEqual(['erin', 'frank']);
});

it('a user whose sign-in failed learns it, until the next one', async () => {
  const { page } = await open('?sign-in=failed');
  await page.getByRole('alert').getByText('The sign-in failed').waitFor();
  const link = await page.getByRole('link', { name: 'Sign in' }).getAttribute('href');
  expect(new URL(link ?? '', portal.url).searchParams.get('return')).toBe(portal.url);
  await page.goto(portal.url);
  await page.getByText('Sign in to see your agents and tools.').waitFor();
  expect(await page.getByRole('alert').count()).toBe(0);
});

it('a user who signs out sees nothing any more', async () => {
  const { page } = await openAs('grace', 'agents/default/writer', { mayReport: true });
  await resolved(page, 3).waitFor();
  await signOutAt(page);
  await page.goto(new URL('agents/default/writer', portal.url).href);
  await page.getByText('Sign in to see your agents and tools.').waitFor();
  expect(await page.getByText('writer').count()).toBe(0);
});
