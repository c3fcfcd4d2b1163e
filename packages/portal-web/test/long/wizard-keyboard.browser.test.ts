import { expect, it } from 'vitest';
import { pressAt, tabTo, typeAt, untilFocused } from '../harness/keyboard.ts';
import { expectAccessible, portalSuite } from '../harness/portal-suite.ts';
import { startPortal } from '../harness/portal.ts';
import { agentOf, button, toolsetOf } from '../harness/wizard.ts';

const { portal, openLoaded } = portalSuite(() => startPortal({ prefix: '/tools/' }));

it.each([
  [360, 'dark'],
  [1200, 'light'],
] as const)(
  'an agent is created and deleted with the keyboard alone at %i px, %s',
  async (width, colorScheme) => {
    const { page } = await openLoaded('agents', { width, colorScheme });
    const name = `typed-${width}`;
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
    await expectAccessible(page);
    await pressAt(button(page, 'Continue'), 'Enter');
    await page.getByText('agent-manager accepts this agent.').waitFor();
    await expectAccessible(page);
    await pressAt(button(page, 'Create agent'), 'Enter');
    await untilFocused(page.getByRole('heading', { level: 1, name }));
    await page.getByRole('heading', { name: 'Resolves to, for you (2)' }).waitFor();
    expect(await agentOf(portal, name)).toMatchObject({
      modelConfig: 'claude',
      toolset: ['tool:x_notes_list_notes', 'tool:core_events'],
    });
    await page.getByText('kind: HelmRelease').waitFor();
    await expectAccessible(page);
    await pressAt(button(page, 'Delete'), 'Enter');
    const dialog = page.getByRole('dialog', { name: 'Delete this agent?' });
    await tabTo(dialog.getByRole('button', { name: 'Delete' }));
    await expectAccessible(page);
    await page.keyboard.press('Enter');
    await untilFocused(page.getByRole('heading', { level: 1, name: 'Agents' }));
    await expect.poll(() => agentOf(portal, name)).toBe('not_found');
  },
);
