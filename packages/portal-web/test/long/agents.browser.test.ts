import { listAccessibilityProblems } from '@gateway/test-peers';
import { describe, expect, it } from 'vitest';
import { portalSuite, testAccessibility } from '../harness/portal-suite.ts';
import { startPortal } from '../harness/portal.ts';
import { agentOf, button, continueTo } from '../harness/wizard.ts';

const suite = portalSuite(() => startPortal({ prefix: '/tools/' }));
const { portal, openLoaded: open } = suite;

describe('the page of an agent', () => {
  it('strikes through what matches nothing for the reader', async () => {
    const { page } = await open('agents/default/hostile');
    await page.getByText('(matches nothing for you)').waitFor();
    await page.getByRole('heading', { name: /Resolves to, for you/ }).waitFor();
    await page.getByText('there is no cluster and no Flux').waitFor();
    await page.getByRole('tab', { name: 'Definition' }).click();
    await page.getByText('kind: HelmRelease').waitFor();
  });

  it('has the state that the list has, and marks what its toolset names and does not exist', async () => {
    const { page } = await open('agents?query=hostile');
    const row = page.getByRole('row').filter({ hasText: 'default/hostile' });
    await row.getByText('Not installed').waitFor();
    await row
      .getByText(/does not exist$/)
      .first()
      .waitFor();
    await row.getByRole('link').click();
    await page.getByRole('main').getByText('Not installed').waitFor();
    await page.getByText('It names presets or servers that do not exist').waitFor();
    await page.getByRole('link', { name: 'x_hostile_markup' }).waitFor();
  });

  it('edits an agent: only what was changed is written', async () => {
    const { page } = await open('agents/default/notes');
    await page.getByRole('link', { name: 'Edit' }).click();
    await page.getByLabel('Description').fill('Changed in a browser');
    await continueTo(page, "Choose the agent's tools");
    await continueTo(page, 'Review the agent');
    await page.getByText('agent-manager accepts this agent.').waitFor();
    const rows = page.getByRole('table', { name: 'Changes' }).getByRole('row');
    await rows.filter({ hasText: /^Description\s*Agent notes\s*Changed in a browser$/ }).waitFor();
    expect(await rows.count()).toBe(2);
    await button(page, 'Save changes').click();
    await page.getByRole('link', { name: 'Edit' }).waitFor();
    await page.getByText('Changed in a browser', { exact: true }).waitFor();
    const notice = page.getByText('The changes of the agent default/notes are saved.');
    await notice.waitFor();
    await page.getByRole('link', { name: 'All agents' }).click();
    await notice.waitFor({ state: 'detached' });
    expect(await agentOf(portal, 'notes')).toMatchObject({
      description: 'Changed in a browser',
      displayName: 'Notes',
      toolset: ['preset:notes', 'workflow:remember'],
    });
  });

  it('shows which selectors an edit removes and adds before they are written', async () => {
    const toolset = JSON.stringify(['workflow:remember', 'server:<b>x</b>']);
    const { page } = await open(`agents/default/notes/edit?step=Review&toolset=${toolset}`);
    const changes = page.getByRole('region', { name: 'Changes' });
    await changes.getByRole('row', { name: 'Toolset preset:notes server:<b>x</b>' }).waitFor();
    expect(await changes.getByRole('row').count()).toBe(2);
    await button(page, 'Discard the draft').click();
    await page.goto(new URL('agents/default/notes/edit?step=Review', portal.url).href);
    await changes.getByText('Nothing changes').waitFor();
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
    const notice = page.getByText('The agent default/nothing is deleted.');
    await notice.waitFor();
    await button(page, 'Close the notice').click();
    await notice.waitFor({ state: 'detached' });
    await expect.poll(() => agentOf(portal, 'nothing')).toBe('not_found');
  });
});

it.each(['agents/default/gone', 'agents/default/gone/edit'])(
  '%s says that the agent does not exist, and leads to the others',
  async (path) => {
    const { page } = await open(path, { mayReport: true });
    await page.getByRole('heading', { name: 'There is no agent default/gone' }).waitFor();
    expect(await listAccessibilityProblems(page)).toEqual([]);
    await page.getByRole('link', { name: 'all agents', exact: true }).click();
    await page.getByRole('heading', { name: 'Agents' }).waitFor();
  },
);

const PATHS = [
  ...['agents/default/hostile', 'agents/new', 'agents/default/notes/edit?step=Review'],
  'agents/new?step=Tools&toolset=["server:notes","server:none"]',
];
testAccessibility('all pages about agents', suite, () => PATHS);
