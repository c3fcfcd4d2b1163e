import { listAccessibilityProblems, launchBrowser } from '@gateway/test-peers';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { pressAt, tabTo, typeAt, untilFocused } from '../harness/keyboard.ts';
import { overflowOf, untilLoaded } from '../harness/layout.ts';
import { startPortal, type TestPortal } from '../harness/portal.ts';
import { openReader } from '../harness/reader.ts';
import { agentOf, button, toolsetOf } from '../harness/wizard.ts';

let portal: TestPortal;
let browser: Browser;

beforeAll(async () => {
  [portal, browser] = await Promise.all([startPortal({ prefix: '/tools/' }), launchBrowser()]);
});
afterAll(async () => {
  await Promise.all([portal.close(), browser.close()]);
});

it.each([
  [360, 'dark'],
  [1200, 'light'],
] as const)(
  'an agent is created and deleted with the keyboard alone at %i px, %s',
  async (width, colorScheme) => {
    const reader = await openReader(browser, { width, colorScheme });
    onTestFinished(reader.close);
    const { page, problems } = reader;
    const name = `typed-${width}`;
    const examine = async (): Promise<void> => {
      expect(await overflowOf(page)).toBe(0);
      expect(await listAccessibilityProblems(page)).toEqual([]);
    };
    await page.goto(new URL('agents', portal.url).href);
    await untilLoaded(page);
    await pressAt(page.getByRole('link', { name: 'New agent' }), 'Enter');
    await untilFocused(page.getByRole('heading', { level: 1, name: 'New agent' }));
    await typeAt(page.getByRole('textbox', { name: 'Name', exact: true }), name);
    await typeAt(page.getByRole('combobox', { name: 'Model' }), 'cla');
    await page.getByRole('option', { name: 'claude' }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await pressAt(button(page, 'Continue'), 'Enter');
    await page.getByRole('heading', { name: "Choose the agent's tools" }).waitFor();
    await pressAt(page.getByRole('checkbox', { name: 'Read-only tools' }), 'Space');
    await pressAt(page.getByRole('button', { name: /^Infrastructure/ }), 'Enter');
    await pressAt(page.getByRole('button', { name: /^notes/ }), 'Enter');
    await pressAt(page.getByRole('checkbox', { name: 'x_notes_list_notes' }), 'Space');
    await typeAt(page.getByLabel('Add a selector by name'), 'tool:core_events');
    await page.keyboard.press('Enter');
    await pressAt(button(page, 'Remove preset:read-only'), 'Enter');
    await expect.poll(() => toolsetOf(page)).toBe('["tool:x_notes_list_notes","tool:core_events"]');
    await page.getByRole('heading', { name: 'Resolves to, for you (2)' }).waitFor();
    await examine();
    await pressAt(button(page, 'Continue'), 'Enter');
    await page.getByText('agent-manager accepts this agent.').waitFor();
    await examine();
    await pressAt(button(page, 'Create agent'), 'Enter');
    await untilFocused(page.getByRole('heading', { level: 1, name }));
    await page.getByRole('heading', { name: 'Resolves to, for you (2)' }).waitFor();
    expect(await agentOf(portal, name)).toMatchObject({
      modelConfig: 'claude',
      toolset: ['tool:x_notes_list_notes', 'tool:core_events'],
    });
    await page.getByText('kind: HelmRelease').waitFor();
    await examine();
    await pressAt(button(page, 'Delete'), 'Enter');
    const dialog = page.getByRole('dialog', { name: 'Delete this agent?' });
    await tabTo(dialog.getByRole('button', { name: 'Delete' }));
    await examine();
    await page.keyboard.press('Enter');
    await untilFocused(page.getByRole('heading', { level: 1, name: 'Agents' }));
    await expect.poll(() => agentOf(portal, name)).toBe('not_found');
    expect(problems).toEqual([]);
  },
);
