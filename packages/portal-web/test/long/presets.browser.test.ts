import { createAgentManagerClient } from '@gateway/agent-manager-client';
import { launchBrowser } from '@gateway/test-peers';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { untilLoaded } from '../harness/layout.ts';
import { startPortal, type TestPortal } from '../harness/portal.ts';
import { openReader, type ReaderOptions } from '../harness/reader.ts';
import { visit } from '../harness/visit.ts';

let portal: TestPortal;
let browser: Browser;

/** Creates an agent that names a preset which the gateway does not have. */
const createAgentOfRemovedPreset = async (): Promise<void> => {
  const client = createAgentManagerClient({ baseUrl: portal.agentManagerUrl });
  const answer = await client.createAgent({
    namespace: 'default',
    name: 'left-over',
    description: 'Names a preset that was removed',
    modelConfig: 'claude',
    systemMessage: 'You are an agent of a test.',
    toolset: ['preset:removed'],
  });
  expect(answer.ok).toBe(true);
};

beforeAll(async () => {
  [portal, browser] = await Promise.all([startPortal(), launchBrowser()]);
  await createAgentOfRemovedPreset();
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

describe('the list of presets', () => {
  it('has the built-in ones first, with their tools and agents', async () => {
    const { page, problems } = await open('presets');
    const notes = page.getByRole('article', { name: 'notes' });
    await notes.getByText('2 tools for you now').waitFor();
    await notes.getByText('1 agent names it').waitFor();
    await notes.getByText('preset:notes · defined by this installation').waitFor();
    const names = await page.getByRole('article').getByRole('heading').allInnerTexts();
    expect(names).toEqual([
      ...['Read-only tools', 'No tools', 'Full gateway'],
      ...['notes', 'observe', 'strange'],
    ]);
    await page
      .getByRole('article', { name: 'No tools' })
      .getByText('0 tools for you now')
      .waitFor();
    expect(await page.evaluate('globalThis.isHacked')).toBe(undefined);
    expect(problems).toEqual([]);
  });

  it('names presets that only agents know', async () => {
    const { page } = await open('presets');
    await page.getByText('Agents name presets that do not exist').waitFor();
    await page.getByRole('link', { name: 'removed' }).click();
    await page.getByText('toolset [preset:removed] names unknown preset "removed"').waitFor();
    await page.getByRole('list', { name: 'Agents that name it' }).getByText('left-over').waitFor();
    await page.getByText('The configuration of the gateway has no such preset.').waitFor();
  });
});

describe('the page of a preset', () => {
  it('shows its rules, what it resolves to, and the agents that name it', async () => {
    const { page, problems } = await open('presets/notes');
    const rules = page.getByRole('region', { name: 'Rules' });
    await rules
      .getByRole('list', { name: 'Includes' })
      .getByText('every tool of the server notes')
      .waitFor();
    await rules.getByRole('list', { name: 'Without' }).getByText('*_delete_*').waitFor();
    await page.getByRole('heading', { name: 'Resolves to, for you (2)' }).waitFor();
    await page
      .getByRole('region', { name: 'Agents' })
      .getByRole('link', { name: 'Notes' })
      .waitFor();
    await page.getByRole('link', { name: 'x_notes_list_notes' }).click();
    await page.getByRole('heading', { name: 'x_notes_list_notes' }).waitFor();
    expect(problems).toEqual([]);
  });

  it('leads to the reasons for its tools', async () => {
    const { page } = await open('presets/notes');
    await page.getByRole('link', { name: 'Why a tool is in or out' }).click();
    await page.getByRole('heading', { name: 'Toolsets', exact: true }).waitFor();
    expect(new URL(page.url()).searchParams.get('left')).toBe('["preset:notes"]');
  });

  it('begins an agent with the preset', async () => {
    const { page } = await open('presets/notes');
    await page.getByRole('link', { name: 'Compose with this preset' }).click();
    await page.getByText("Choose the agent's tools").waitFor();
    await page.getByRole('button', { name: 'Remove preset:notes' }).waitFor();
    expect(new URL(page.url()).searchParams.get('toolset')).toBe('["preset:notes"]');
  });
});

it.each([
  ['light', 1200],
  ['dark', 360],
] as const)('presets meet WCAG 2.2 AA in %s and fit into %i px', async (colorScheme, width) => {
  const { page, problems } = await open('presets', { colorScheme, width });
  const paths = ['presets', 'presets/notes', 'presets/full', 'presets/removed'];
  expect(await visit(page, { portal, paths })).toEqual([]);
  expect(problems).toEqual([]);
});

it('says what to do on a gateway without workflows', async () => {
  for (const name of ['remember', 'fails']) portal.config.delete(`workflows/${name}.yaml`);
  const { page, problems } = await open('workflows');
  await page.getByText('There is no workflow yet.').waitFor();
  await page.getByRole('link', { name: 'core_workflow_create' }).click();
  await page.getByRole('heading', { name: 'core_workflow_create' }).waitFor();
  await page.goto(new URL('runs', portal.url).href);
  await page.getByText('No workflow has run yet.').waitFor();
  expect(problems).toEqual([]);
});
