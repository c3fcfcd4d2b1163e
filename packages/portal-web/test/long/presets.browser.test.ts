import { createAgentManagerClient } from '@gateway/agent-manager-client';
import { describe, expect, it } from 'vitest';
import { portalSuiteOf, testAccessibility } from '../harness/portal-suite.ts';
import { startPortal } from '../harness/portal.ts';

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
    const notes = page.getByRole('article', { name: 'notes' });
    await notes.getByText('2 tools for you now').waitFor();
    await notes.getByText('1 agent names it').waitFor();
    await notes.getByText('preset:notes · defined by this installation').waitFor();
    const names = await page.getByRole('article').getByRole('heading').allInnerTexts();
    const builtIn = ['Read-only tools', 'No tools', 'Full gateway'];
    expect(names).toEqual([...builtIn, 'notes', 'observe', 'strange']);
    const none = page.getByRole('article', { name: 'No tools' });
    await none.getByText('0 tools for you now').waitFor();
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

const PATHS = ['presets', 'presets/notes', 'presets/full', 'presets/removed'];
testAccessibility('presets', suite, () => PATHS);

it('says what to do on a gateway without workflows', async () => {
  for (const name of ['remember', 'fails']) portal.config.delete(`workflows/${name}.yaml`);
  const { page } = await open('workflows');
  await page.getByText('There is no workflow yet.').waitFor();
  await page.getByRole('link', { name: 'core_workflow_create' }).click();
  await page.getByRole('heading', { name: 'core_workflow_create' }).waitFor();
  await page.goto(new URL('runs', portal.url).href);
  await page.getByText('No workflow has run yet.').waitFor();
});
