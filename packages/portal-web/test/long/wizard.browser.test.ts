import { readFile } from 'node:fs/promises';
import { createAgentManagerClient, type AgentManagerClient } from '@gateway/agent-manager-client';
import type { Locator } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { untilFocused } from '../harness/keyboard.ts';
import { startPortal } from '../harness/portal.ts';
import { agentOf, button, continueTo, describeAgent, toolsetOf } from '../harness/wizard.ts';
import { portalSuite } from '../harness/portal-suite.ts';

const { portal, openLoaded: open } = portalSuite(() => startPortal({ prefix: '/tools/' }));

/** The manifests that agent-manager itself composes. */
const manifestsOf = async (draft: Parameters<AgentManagerClient['validateAgent']>[0]) => {
  const client = createAgentManagerClient({ baseUrl: portal.agentManagerUrl });
  const answer = await client.validateAgent(draft);
  if (!answer.ok || answer.value.manifests === undefined) throw new Error(JSON.stringify(answer));
  return answer.value.manifests;
};

/** Waits until the problem of a field is this sentence. */
const described = (field: Locator, sentence: RegExp | string): Promise<void> =>
  expect
    .poll(async () => {
      const ids = (await field.getAttribute('aria-describedby')) ?? '';
      const texts = ids
        .split(' ')
        .map((id) => field.page().locator(`[id="${id}"]`).allInnerTexts());
      return (await Promise.all(texts)).flat();
    })
    .toContainEqual(expect.stringMatching(sentence));

describe('the wizard', () => {
  it('creates an agent with a toolset of presets, a server, a tool and a typed selector', async () => {
    const { page } = await open('agents');
    await page.getByRole('link', { name: 'New agent' }).click();
    await page.getByText('Step 1 of 3: Details').waitFor();
    await describeAgent(page, 'writer');
    await page.getByText('The release declares preset:none.').waitFor();
    await page.getByRole('checkbox', { name: 'Read-only tools' }).click();
    await page.getByText(/Resolves to, for you \([1-9]/).waitFor();
    await page.getByRole('button', { name: /^Infrastructure/ }).click();
    await page.getByRole('checkbox', { name: 'All tools of notes' }).click();
    await page.getByLabel('Search the catalog').fill('remember');
    await page.getByRole('checkbox', { name: 'workflow_remember' }).click();
    await page.getByLabel('Add a selector by name').fill(' tool:core_events ');
    await button(page, 'Add').click();
    await button(page, 'Remove preset:read-only').click();
    await expect
      .poll(() => toolsetOf(page))
      .toBe('["server:notes","workflow:remember","tool:core_events"]');
    await continueTo(page, 'Review the agent');
    await page.getByText('agent-manager accepts this agent.').waitFor();
    await button(page, 'Create agent').click();
    await page.getByRole('heading', { name: 'writer' }).waitFor();
    await page.getByText('The agent is created.').waitFor();
    await page.getByRole('heading', { name: 'Resolves to, for you (5)' }).waitFor();
    expect(await agentOf(portal, 'writer')).toMatchObject({
      description: 'Writes notes',
      toolset: ['server:notes', 'workflow:remember', 'tool:core_events'],
    });
  });

  it('declares preset:none when nothing is chosen, and downloads the release of agent-manager instead', async () => {
    const { page } = await open('agents/new');
    await describeAgent(page, 'silent');
    await continueTo(page, 'Review the agent');
    await page.getByText('agent-manager accepts this agent.').waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      button(page, 'Download YAML').click(),
    ]);
    expect(download.suggestedFilename()).toBe('silent.yaml');
    const draft = { name: 'silent', modelConfig: 'claude', description: 'Writes notes' };
    const composed = await manifestsOf({ ...draft, toolset: ['preset:none'] });
    expect(await readFile(await download.path(), 'utf8')).toBe(
      `${composed.ociRepository}---\n${composed.helmRelease}`,
    );
    expect(await agentOf(portal, 'silent')).toBe('not_found');
  });

  it('shows the problems that agent-manager finds at the fields, and does not continue', async () => {
    const { page } = await open('agents/new');
    const field = (name: string) => page.getByRole('textbox', { name, exact: true });
    await field('Name').fill('Not A Name');
    await described(field('Name'), /^A name has lower case letters, digits and hyphens\./);
    await button(page, 'Continue').click();
    const model = page.getByRole('combobox', { name: 'Model' });
    await described(model, 'Choose a model configuration.');
    await untilFocused(field('Name'));
    expect(await page.getByText('Step 1 of 3: Details').count()).toBe(1);
    await field('Name').fill('notes');
    await model.fill('nope');
    await field('Display name').fill('x'.repeat(64));
    await field('Icon').fill('http://example.com/icon.png');
    await button(page, 'Continue').click();
    await described(field('Name'), /^The agent default\/notes exists already\./);
    await described(model, 'modelConfig "nope" does not exist in namespace default; valid: claude');
    await described(field('Display name'), /\/agent\/displayName: must have at most 63 characters/);
    await described(field('Icon'), /^iconUrl must be an https:\/\/ URL/);
    await field('Name').fill('free-name');
    await model.fill('claude');
    await expect.poll(() => model.getAttribute('aria-invalid')).toBe(null);
    await expect.poll(() => field('Name').getAttribute('aria-invalid')).toBe(null);
    await described(field('Icon'), /^iconUrl must be/);
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
