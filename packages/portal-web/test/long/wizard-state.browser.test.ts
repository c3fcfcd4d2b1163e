import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { startPortal } from '../harness/portal.ts';
import { agentOf, button, continueTo, describeAgent, toolsetOf } from '../harness/wizard.ts';
import { portalSuite } from '../harness/portal-suite.ts';

const { portal, openLoaded: open } = portalSuite(() => startPortal({ prefix: '/tools/' }));

const TOOLS = "Choose the agent's tools";
const REVIEW = 'Review the agent';
const DETAILS = 'Describe the agent';

const heading = (page: Page, name: string) => page.getByRole('heading', { name });
const nameOf = (page: Page) => page.getByRole('textbox', { name: 'Name', exact: true });
const choose = (page: Page, preset: string) => page.getByRole('checkbox', { name: preset }).click();

describe('the wizard of a new agent', () => {
  it('keeps its fields and its toolset on the way back, forward and after a reload', async () => {
    const { page } = await open('agents/new');
    await describeAgent(page, 'kept');
    await choose(page, 'Read-only tools');
    await continueTo(page, REVIEW);
    await page.goBack();
    await heading(page, TOOLS).waitFor();
    await choose(page, 'observe');
    await expect.poll(() => toolsetOf(page)).toBe('["preset:read-only","preset:observe"]');
    await page.goBack();
    await heading(page, DETAILS).waitFor();
    expect(await nameOf(page).inputValue()).toBe('kept');
    await expect.poll(() => toolsetOf(page)).toBe('["preset:read-only","preset:observe"]');
    await page.reload();
    await heading(page, DETAILS).waitFor();
    expect(await nameOf(page).inputValue()).toBe('kept');
    await continueTo(page, TOOLS);
    await button(page, 'Remove preset:observe').click();
    await page.goBack();
    await heading(page, DETAILS).waitFor();
    await page.goForward();
    await heading(page, TOOLS).waitFor();
    await continueTo(page, REVIEW);
    await page.reload();
    await page.getByText('agent-manager accepts this agent.').waitFor();
    expect(toolsetOf(page)).toBe('["preset:read-only"]');
  });

  it('is continued after a visit of other pages, and can be discarded', async () => {
    const { page } = await open('agents/new');
    await describeAgent(page, 'continued');
    await choose(page, 'Read-only tools');
    await page.getByRole('link', { name: 'Catalog' }).click();
    await heading(page, 'Catalog').waitFor();
    await page.getByRole('link', { name: 'Agents' }).click();
    await page.getByRole('link', { name: 'New agent' }).click();
    await heading(page, DETAILS).waitFor();
    expect(await nameOf(page).inputValue()).toBe('continued');
    await expect.poll(() => toolsetOf(page)).toBe('["preset:read-only"]');
    await button(page, 'Discard the draft').click();
    await expect.poll(() => nameOf(page).inputValue()).toBe('');
    await expect.poll(() => toolsetOf(page)).toBe(null);
    await page.reload();
    await heading(page, DETAILS).waitFor();
    expect(await nameOf(page).inputValue()).toBe('');
    expect(await button(page, 'Discard the draft').count()).toBe(0);
  });

  it('begins with the toolset of a link, and a draft is not shown in another tab', async () => {
    const { page, context } = await open('agents/new?toolset=["server:notes"]');
    await describeAgent(page, 'linked');
    await button(page, 'Remove server:notes').waitFor();
    const other = await context.newPage();
    await other.goto(new URL('agents/new?step=Tools', portal.url).href);
    await other.getByText('0 of 32 selectors').waitFor();
    await page.goto(new URL('agents/new?step=Tools&toolset=["preset:none"]', portal.url).href);
    await button(page, 'Remove preset:none').waitFor();
    await button(page, 'Back').click();
    await heading(page, DETAILS).waitFor();
    expect(await nameOf(page).inputValue()).toBe('linked');
  });

  it('shows nothing of an agent that was created', async () => {
    const { page } = await open('agents/new');
    await describeAgent(page, 'done');
    await continueTo(page, REVIEW);
    await button(page, 'Create agent').click();
    await page.getByRole('link', { name: 'All agents' }).click();
    await page.getByRole('link', { name: 'New agent' }).click();
    await heading(page, DETAILS).waitFor();
    expect(await nameOf(page).inputValue()).toBe('');
    expect(toolsetOf(page)).toBe(null);
  });
});

describe('the wizard of an existing agent', () => {
  it('keeps changes after a reload, and what another user changes meanwhile', async () => {
    const { page } = await open('agents/default/notes/edit');
    await page.getByLabel('Description').fill('From the first user');
    await page.reload();
    await heading(page, DETAILS).waitFor();
    expect(await page.getByLabel('Description').inputValue()).toBe('From the first user');
    const other = await open('agents/default/notes/edit');
    await other.page.getByLabel('Display name').fill('From the second user');
    await continueTo(other.page, TOOLS);
    await continueTo(other.page, REVIEW);
    await button(other.page, 'Save changes').click();
    await heading(other.page, 'From the second user').waitFor();
    await continueTo(page, TOOLS);
    await choose(page, 'observe');
    await continueTo(page, REVIEW);
    await button(page, 'Save changes').click();
    await page.getByRole('link', { name: 'Edit' }).waitFor();
    expect(await agentOf(portal, 'notes')).toMatchObject({
      displayName: 'From the second user',
      description: 'From the first user',
      toolset: ['preset:notes', 'workflow:remember', 'preset:observe'],
    });
    expect(await page.getByText('From the first user', { exact: true }).count()).toBe(1);
  });
});
