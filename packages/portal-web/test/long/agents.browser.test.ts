import { accessibilityProblems, launchBrowser } from '@gateway/test-identity';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { overflowOf, untilLoaded } from '../harness/layout.ts';
import { startPortal, type TestPortal } from '../harness/portal.ts';
import { openReader, type ReaderOptions } from '../harness/reader.ts';
import { agentOf, button, continueTo } from '../harness/wizard.ts';

let portal: TestPortal;
let browser: Browser;

beforeAll(async () => {
  [portal, browser] = await Promise.all([startPortal({ prefix: '/tools/' }), launchBrowser()]);
});
afterAll(async () => {
  await Promise.all([portal.close(), browser.close()]);
});

const open = async (path: string, options: ReaderOptions = {}) => {
  const reader = await openReader(browser, options);
  onTestFinished(reader.close);
  await reader.page.goto(new URL(path, portal.url).href);
  await untilLoaded(reader.page);
  return reader;
};

describe('the page of an agent', () => {
  it('strikes through what matches nothing for the reader', async () => {
    const { page, problems } = await open('agents/default/hostile');
    await page.getByText('(matches nothing for you)').waitFor();
    await page.getByRole('heading', { name: /Resolves to, for you/ }).waitFor();
    await page.getByText('kind: HelmRelease').waitFor();
    expect(problems).toEqual([]);
  });

  it('edits an agent: only what was changed is written', async () => {
    const { page } = await open('agents/default/notes');
    await page.getByRole('link', { name: 'Edit' }).click();
    await page.getByLabel('Description').fill('Changed in a browser');
    await continueTo(page, "Choose the agent's tools");
    await continueTo(page, 'Review the agent');
    await page.getByText('agent-manager accepts this agent.').waitFor();
    await button(page, 'Save changes').click();
    await page.getByRole('link', { name: 'Edit' }).waitFor();
    await page.getByText('Changed in a browser', { exact: true }).waitFor();
    expect(await agentOf(portal, 'notes')).toMatchObject({
      description: 'Changed in a browser',
      displayName: 'Notes',
      toolset: ['preset:notes', 'workflow:remember'],
    });
  });

  it('deletes an agent after a question', async () => {
    const { page } = await open('agents/default/nothing');
    await button(page, 'Delete').click();
    const dialog = page.getByRole('dialog', { name: 'Delete this agent?' });
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'hidden' });
    expect(await agentOf(portal, 'nothing')).toMatchObject({ name: 'nothing' });
    await button(page, 'Delete').click();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('heading', { name: 'Agents' }).waitFor();
    await expect.poll(() => agentOf(portal, 'nothing')).toBe('not_found');
  });
});

describe.each([
  'agents/default/hostile',
  'agents/new',
  'agents/new?step=Tools&toolset=["server:notes","server:none"]',
  'agents/default/notes/edit?step=Review',
])('%s', (path) => {
  it.each(['light', 'dark'] as const)('meets WCAG 2.2 AA in %s', async (colorScheme) => {
    const { page } = await open(path, { colorScheme });
    expect(await accessibilityProblems(page)).toEqual([]);
  });

  it('fits into 360 px', async () => {
    const { page } = await open(path, { width: 360, height: 740 });
    expect(await overflowOf(page)).toBe(0);
  });
});
