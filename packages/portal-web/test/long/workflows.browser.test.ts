import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { overflowOf } from '../harness/layout.ts';
import { startWorkflowPortal } from '../harness/sample-workflows.ts';
import { portalSuite, testAccessibility } from '../harness/portal-suite.ts';
import { chooseFilter, filterChip } from '../harness/table.ts';

const suite = portalSuite(() => startWorkflowPortal());
const { portal, openLoaded: open } = suite;

const searchOf = (page: Page): Readonly<Record<string, string>> =>
  Object.fromEntries(new URL(page.url()).searchParams);

/** Returns the box of a step in the graph, which says the id and what the step does. */
const box = (page: Page, name: string) => page.getByRole('group', { name, exact: true });

describe('the list of workflows', () => {
  it('says which can run, which tools others lack, and which are not valid', async () => {
    const { page } = await open('workflows');
    const row = (name: string) => page.getByRole('row', { name: new RegExp(`^${name} `) });
    await row('every-kind').getByText('Available', { exact: true }).waitFor();
    await row('fails').getByText('Lacks tools').waitFor();
    await row('fails').getByText('x_nothing_here').waitFor();
    await row('invalid').getByText('Not valid').waitFor();
  });

  it('has two lines for each in a narrow window, and its filters are inside of it', async () => {
    const { page } = await open('workflows', { width: 360, height: 740 });
    const row = page.getByRole('row').filter({ hasText: 'fails' });
    await row.getByText('x_nothing_here').waitFor();
    expect(await row.getByRole('cell').count()).toBe(2);
    await filterChip(page, 'State').waitFor();
    expect(await overflowOf(page)).toBe(0);
  });

  it('is narrowed by words and by state, in the address', async () => {
    const { page } = await open('workflows?query=many+steps');
    await page.getByText(/^1 of \d+ workflows$/).waitFor();
    await chooseFilter(page, 'State', 'Not valid');
    await page.getByText('No workflow matches.').waitFor();
    expect(searchOf(page)).toEqual({ query: 'many steps', state: 'invalid' });
    await page.getByRole('button', { name: 'Clear the filters' }).click();
    await page.getByRole('link', { name: 'every-kind' }).waitFor();
    expect(await page.getByLabel('Find workflows').inputValue()).toBe('');
  });

  it('leads to a page that says why a workflow cannot run', async () => {
    const { page } = await open('workflows');
    await page.getByRole('link', { name: 'invalid' }).click();
    await page.getByText('spec.steps[0].tool: must not be empty').waitFor();
    await page.getByText('kind: Workflow').waitFor();
    await page.getByRole('link', { name: 'All workflows' }).click();
    await page.getByRole('link', { name: 'fails' }).click();
    await page.getByText('You do not have these tools of the workflow').waitFor();
    await page.getByRole('tab', { name: 'Run it' }).click();
    await expect.poll(() => page.getByRole('button', { name: 'Run' }).isDisabled()).toBe(true);
  });

  it('names a workflow that does not exist', async () => {
    const { page } = await open('workflows');
    await page.goto(new URL('workflows/nothing', portal.url).href);
    await page.getByRole('alert').getByText('workflow nothing not found').waitFor();
  });
});

describe('the definition of a workflow', () => {
  it('is created as YAML, checked while it is written, and changed', async () => {
    const { page } = await open('workflows/new');
    await page.getByText('YAML', { exact: true }).click();
    const text = page.getByLabel('YAML').last();
    await text.fill('name: made\nsteps:\n  - id: one\n    tool: ""\n');
    await page.getByText('steps[0].tool').waitFor();
    expect(await page.getByRole('button', { name: 'Create' }).isDisabled()).toBe(true);
    await text.fill('name: made\nsteps:\n  - id: one\n    tool: x_notes_list_notes\n');
    await page.getByText('The gateway accepts this definition.').waitFor();
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { name: 'made' }).waitFor();
    await page.getByRole('tab', { name: 'Definition' }).click();
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByRole('textbox', { name: 'Description' }).first().fill('Made in a browser');
    await page.getByText('The gateway accepts this definition.').waitFor();
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByRole('group', { name: 'Definition' }).getByText('Made in a browser').waitFor();
  });
});

describe('the graph of a workflow', () => {
  it('shows conditions, loops, groups and the steps after a failure', async () => {
    const { page } = await open('workflows/every-kind');
    await box(page, 'write: x_notes_create_note').waitFor();
    await box(page, 'again: x_notes_create_note').getByText('if {{ .input.twice }}').waitFor();
    await box(page, 'each: for each account of {{ list "notes-home" "notes-work" }}').waitFor();
    await box(page, 'both: all at once').waitFor();
    await box(page, 'clean: x_notes_delete_note').waitFor();
    await page.getByText('When a step fails', { exact: true }).waitFor();
    await expect.poll(() => page.locator('.react-flow__edge').count()).toBe(6);
  });

  it('shows the details of a step that is clicked, and the address has it', async () => {
    const { page } = await open('workflows/every-kind');
    await box(page, 'write: x_notes_create_note').click();
    const details = page.getByRole('dialog', { name: 'write' });
    await details.getByText('"title": "{{ .input.title }}"').waitFor();
    expect(searchOf(page)).toEqual({ step: 'write' });
    await page.reload();
    await details.getByText('Writes the note').waitFor();
    await details.getByRole('button', { name: 'Close' }).click();
    await details.waitFor({ state: 'hidden' });
    expect(searchOf(page)).toEqual({});
  });

  it('is used with the keyboard', async () => {
    const { page } = await open('workflows/every-kind');
    await box(page, 'both: all at once').focus();
    await page.keyboard.press('Enter');
    const details = page.getByRole('dialog', { name: 'both' });
    await details.getByText('2 steps run at the same time.').waitFor();
    await page.keyboard.press('Escape');
    await details.waitFor({ state: 'hidden' });
    const focused = page.locator(':focus');
    await expect.poll(() => focused.getAttribute('aria-label')).toBe('both: all at once');
    await page.getByRole('button', { name: 'Zoom in' }).focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => searchOf(page)).toEqual({});
  });

  it('of many steps begins with the first ones, and has few boxes in the page', async () => {
    const { page } = await open('workflows/long');
    await box(page, 'step-0: x_notes_list_notes').waitFor();
    await expect.poll(() => page.locator('.react-flow__node').count()).toBeLessThan(60);
    await page.getByRole('button', { name: 'Show all steps' }).click();
    await box(page, 'step-199: x_notes_list_notes').waitFor();
  });
});

describe('the list of steps', () => {
  const list = (page: Page, name: string) => page.getByRole('list', { name, exact: true });

  it('is a list of lists, with the details of one step', async () => {
    const { page } = await open('workflows/every-kind');
    await page.getByText('List', { exact: true }).click();
    await list(page, 'Steps of each').getByText('list', { exact: true }).waitFor();
    expect(await list(page, 'Steps of both').getByRole('listitem').count()).toBe(2);
    await page.getByRole('region', { name: 'When a step fails' }).getByText('clean').waitFor();
    await page.getByRole('button', { name: /^again / }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('"template": "{{ .input.twice }}"').waitFor();
    expect(searchOf(page)).toEqual({ view: 'list', step: 'again' });
    await page.keyboard.press('Enter');
    await expect.poll(() => searchOf(page)).toEqual({ view: 'list' });
  });

  it('is the view of a narrow window', async () => {
    const { page } = await open('workflows/every-kind', { width: 360 });
    await list(page, 'Steps').waitFor();
  });

  it('of many steps begins with 100', async () => {
    const { page } = await open('workflows/long?view=list');
    await expect.poll(() => list(page, 'Steps').getByRole('listitem').count()).toBe(100);
    await page.getByRole('button', { name: 'Show all 200 steps' }).click();
    await expect.poll(() => list(page, 'Steps').getByRole('listitem').count()).toBe(200);
  });

  it.each(['__proto__', 'constructor', 'hasOwnProperty'])(
    'shows the step %s and what it says as text',
    async (step) => {
      const path = `workflows/hostile?view=list&step=${step}`;
      const { page } = await open(path, { width: 360 });
      await page.getByRole('group', { name: 'Arguments' }).waitFor();
      await page.getByText('<img src=x onerror').first().waitFor();
      expect(await page.evaluate('globalThis.isHacked')).toBe(undefined);
      expect(await overflowOf(page)).toBe(0);
    },
  );
});

const DEFINED = 'workflows/every-kind';
const PATHS = [
  ...['workflows', `${DEFINED}?view=graph`, `${DEFINED}?view=list&step=again`],
  ...[
    `${DEFINED}?view=graph&step=both`,
    `${DEFINED}?tab=definition`,
    'workflows/hostile?view=graph',
  ],
  ...['workflows/hostile?tab=run', 'workflows/invalid'],
];

testAccessibility('all pages about workflows', suite, () => PATHS);
