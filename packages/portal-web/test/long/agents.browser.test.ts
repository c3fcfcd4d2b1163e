import { createAgentManagerClient } from '@gateway/agent-manager-client';
import { accessibilityProblems, launchBrowser } from '@gateway/test-identity';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { overflowOf, untilLoaded } from '../harness/layout.ts';
import { startPortal, type TestPortal } from '../harness/portal.ts';
import { openReader, type ReaderOptions } from '../harness/reader.ts';

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

const agentOf = async (name: string) => {
  const client = createAgentManagerClient({ baseUrl: portal.agentManagerUrl });
  const answer = await client.getAgent({ namespace: 'default', name });
  return answer.ok ? answer.value : answer.refusal?.code;
};

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const next = (page: Page) => button(page, 'Continue').click();
const toolsetOf = (page: Page): string | null => new URL(page.url()).searchParams.get('toolset');

describe('the wizard', () => {
  it('shows the sentences of agent-manager beside the fields, and does not continue', async () => {
    const { page } = await open('agents/new');
    await page.getByLabel('Name', { exact: false }).first().fill('Not A Name');
    await page.getByText(/^name "Not A Name"/).waitFor();
    await next(page);
    await page.getByText('modelConfig is required').waitFor();
    expect(await page.getByText('Step 1 of 3: Details').count()).toBe(1);
  });

  it('keeps none and full alone, and reports problems of typed selectors', async () => {
    const { page } = await open('agents/new?step=Tools&toolset=["server:notes"]');
    await page.getByRole('checkbox', { name: 'Full gateway' }).click();
    await expect.poll(() => toolsetOf(page)).toBe('["preset:full"]');
    await page.getByRole('checkbox', { name: 'Read-only tools' }).click();
    await expect.poll(() => toolsetOf(page)).toBe('["preset:read-only"]');
    await page.getByLabel('Add a selector by name').fill('toolset:x');
    await button(page, 'Add').click();
    await page.getByText('is reserved for shared toolsets, which do not exist yet.').waitFor();
  });

  it('refuses more than 32 selectors', async () => {
    const many = JSON.stringify(Array.from({ length: 33 }, (_, at) => `tool:t${at}`));
    const { page } = await open(`agents/new?step=Tools&toolset=${many}`);
    await page.getByText('Too many selectors — define a preset').waitFor();
    expect(await button(page, 'Continue').isDisabled()).toBe(true);
    await button(page, 'Remove tool:t0').click();
    await expect.poll(() => button(page, 'Continue').isDisabled()).toBe(false);
  });

  it('starts from the toolset of another agent', async () => {
    const { page } = await open('agents/new?step=Tools');
    await page.getByLabel("Start from an existing agent's toolset").first().click();
    await page.getByRole('option', { name: 'default/notes' }).click();
    await expect.poll(() => toolsetOf(page)).toBe('["preset:notes","workflow:remember"]');
  });
});

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
    await next(page);
    await next(page);
    await page.getByText('agent-manager accepts this agent.').waitFor();
    await button(page, 'Save changes').click();
    await page.getByText('Changed in a browser').first().waitFor();
    await expect
      .poll(() => agentOf('notes'), { timeout: 20_000 })
      .toMatchObject({
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
    expect(await agentOf('nothing')).toMatchObject({ name: 'nothing' });
    await button(page, 'Delete').click();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('heading', { name: 'Agents' }).waitFor();
    await expect.poll(() => agentOf('nothing')).toBe('not_found');
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
