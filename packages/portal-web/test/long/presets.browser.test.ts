import { createAgentManagerClient } from '@gateway/agent-manager-client';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { portalSuiteOf, testAccessibility } from '../harness/portal-suite.ts';
import { startPortal } from '../harness/portal.ts';
import { recordRow } from '../harness/table.ts';
import { button } from '../harness/wizard.ts';

const suite = portalSuiteOf(async () => {
  const portal = await startPortal();
  const client = createAgentManagerClient({ baseUrl: portal.agentManagerUrl });
  // Names a preset that was removed.
  const toolset = ['preset:removed'];
  const created = await client.createAgent({ name: 'left-over', modelConfig: 'claude', toolset });
  expect(created.ok).toBe(true);
  return portal;
});
const { portal, openLoaded: open } = suite;

describe('the list of presets', () => {
  it('has the built-in ones first, with their tools and agents', async () => {
    const { page } = await open('presets');
    const notes = recordRow(page, 'notes');
    await notes.getByText('2 tools', { exact: true }).waitFor();
    await notes.getByText('1 agent', { exact: true }).waitFor();
    await notes.getByText('defined by this installation').waitFor();
    const names = await page.getByRole('table').getByRole('link').allInnerTexts();
    const builtIn = ['Read-only tools', 'No tools', 'Full gateway'];
    expect(names).toEqual([...builtIn, 'notes', 'observe', 'strange']);
    await recordRow(page, 'No tools').getByText('0 tools', { exact: true }).waitFor();
    expect(await page.evaluate('globalThis.isHacked')).toBe(undefined);
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
    const { page } = await open('presets/notes');
    const rules = page.getByRole('region', { name: 'Rules' });
    const includes = rules.getByRole('list', { name: 'Includes' });
    await includes.getByText('every tool of the server notes').waitFor();
    await rules.getByRole('list', { name: 'Without' }).getByText('*_delete_*').waitFor();
    await page.getByRole('heading', { name: 'Resolves to, for you (2)' }).waitFor();
    const agents = page.getByRole('region', { name: 'Agents' });
    await agents.getByRole('link', { name: 'Notes' }).waitFor();
    await page.getByRole('link', { name: 'x_notes_list_notes' }).click();
    await page.getByRole('heading', { name: 'x_notes_list_notes' }).waitFor();
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

describe('a preset of this installation', () => {
  const yaml = async (page: Page, text: string): Promise<void> => {
    await page.getByText('YAML', { exact: true }).click();
    await page.getByLabel('YAML').last().fill(text);
  };

  it('is created, and changed as fields', async () => {
    const { page } = await open('presets/new');
    await yaml(page, 'name: lists\ninclude:\n  - pattern: "*_list_*"\n');
    await button(page, 'Create').click();
    await page.getByText('every tool whose name matches *_list_*').waitFor();
    await button(page, 'Edit').click();
    await page.getByRole('textbox', { name: 'Description' }).fill('What is there');
    await button(page, 'Save changes').click();
    await page.getByText('What is there').first().waitFor();
  });

  it('that the gateway refuses stays in the editor, with its sentence', async () => {
    const { page } = await open('presets/new');
    await yaml(page, 'name: torn\ninclude:\n  - label: "a b"\n');
    await button(page, 'Create').click();
    await page.getByRole('alert').getByText('Failed to update').waitFor();
    expect(new URL(page.url()).pathname).toBe('/presets/new');
  });
});

const PATHS = ['presets/new', 'presets', 'presets/notes', 'presets/full', 'presets/removed'];
testAccessibility('presets', suite, () => PATHS);

it('says what to do on a gateway without workflows', async () => {
  for (const name of ['remember', 'fails']) portal.config.delete(`workflows/${name}.yaml`);
  const { page } = await open('workflows');
  await page.getByText('There is no workflow yet.').waitFor();
  await page.getByRole('link', { name: 'create one' }).click();
  await page.getByRole('heading', { name: 'New workflow' }).waitFor();
  await page.goto(new URL('runs', portal.url).href);
  await page.getByText('No workflow has run yet.').waitFor();
});
