import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { portalSuite, testAccessibility } from '../harness/portal-suite.ts';
import { chooseFilter, countRecords, filterChip } from '../harness/table.ts';

const suite = portalSuite();
const { open } = suite;

/** Waits until the catalog says how many tools it shows. */
const untilCounted = (page: Page, text: string): Promise<void> =>
  page.getByRole('status').getByText(text, { exact: true }).waitFor();

const searchOf = (page: Page): Readonly<Record<string, string>> =>
  Object.fromEntries(new URL(page.url()).searchParams);

describe('the filters of the catalog', () => {
  it('narrow by server, kind and annotation, and are in the address', async () => {
    const { page } = await open('catalog');
    await chooseFilter(page, 'Server', 'notes');
    await chooseFilter(page, 'Annotation', 'Destructive');
    await page.getByRole('link', { name: 'x_notes_delete_note' }).waitFor();
    expect(await countRecords(page)).toBe(1);
    expect(searchOf(page)).toEqual({ server: 'notes', hint: 'destructive' });
    await chooseFilter(page, 'Kind', 'Workflows');
    await page.getByText('No tool passes these filters.').waitFor();
    await page.goBack();
    await page.getByRole('link', { name: 'x_notes_delete_note' }).waitFor();
    expect(await filterChip(page, 'Kind').innerText()).toBe('Kind');
    await page.reload();
    await page.getByRole('link', { name: 'x_notes_delete_note' }).waitFor();
    expect(await filterChip(page, 'Annotation').innerText()).toBe('Annotation: Destructive');
    await page.getByRole('button', { name: 'Clear the filters' }).click();
    const status = page.getByRole('status');
    await status.getByText(/^\d+ tools$/).waitFor();
    expect(searchOf(page)).toEqual({});
  });

  it('narrow what a query finds, in the order of the ranking', async () => {
    const { page } = await open('catalog?query=create+note&server=notes');
    await page.getByRole('link', { name: 'x_notes_create_note' }).waitFor();
    const names = await page.getByRole('table').getByRole('link').allInnerTexts();
    expect(names[0]).toBe('x_notes_create_note');
    expect(names.every((name) => name.startsWith('x_notes_'))).toBe(true);
  });

  it('narrow by group', async () => {
    const { page } = await open('catalog?group=workflows');
    await untilCounted(page, `2 of ${await totalOf(page)} tools`);
    await chooseFilter(page, 'Group', 'Agent Platform');
    await page.getByRole('link', { name: 'core_auth_login' }).waitFor();
    expect(await page.getByRole('link', { name: 'workflow_remember' }).count()).toBe(0);
  });

  it('narrow by the group of the servers, and of the families that they are members of', async () => {
    const { page } = await open('catalog?group=infrastructure');
    await page.getByRole('link', { name: 'x_notes_create_note' }).waitFor();
    expect(await countRecords(page)).toBe(3);
  });

  it('show a value of the address that nothing has', async () => {
    const { page } = await open('catalog?server=<b>gone</b>&kind=strange');
    await page.getByText('No tool passes these filters.').waitFor();
    expect(await filterChip(page, 'Server').innerText()).toBe('Server: <b>gone</b>');
    expect(searchOf(page)).toEqual({ server: '<b>gone</b>' });
  });
});

const totalOf = async (page: Page): Promise<string> => {
  const status = page.getByRole('status');
  const text = await status.getByText(/tools$/).innerText();
  return / of (\d+) tools/.exec(text)?.[1] ?? '';
};

describe('a search', () => {
  const NOTHING = 'No tool matches these words. Try others, for example what the tool does.';

  it('whose words no tool has shows none, and names the closest word', async () => {
    const { page } = await open('catalog?query=nottes');
    await page.getByRole('link', { name: 'x_notes_create_note' }).waitFor();
    await page.getByLabel('Find tools').fill('zzzqqq');
    await page.getByText(NOTHING, { exact: true }).waitFor();
    expect(await page.getByRole('table').count()).toBe(0);
    await page.getByLabel('Find tools').fill('xresuorcx');
    await page.getByText(`${NOTHING} The closest word is resource`).waitFor();
    await page.getByLabel('Find tools').fill('create note');
    await page.getByRole('link', { name: 'x_notes_create_note' }).waitFor();
  });
});

it.each([
  ['catalog?server=everything', 'tr'],
  ['toolsets?left=["server:everything"]', '[role=listitem]'],
  ['agents/default/everything', '[role=listitem]'],
])('%s shows whole names of tools in 360 pixels', async (path, selector) => {
  const { page } = await open(path, { width: 360, height: 740 });
  const rows = page.locator(selector);
  await rows.filter({ hasText: 'x_everything_' }).first().waitFor();
  const cut = `[...document.querySelectorAll('${selector}')].filter((row) => {
    const name = row.querySelector('bdi');
    if (name === null) return false;
    const isCut = name.scrollHeight > name.clientHeight + 1 || name.scrollWidth > name.clientWidth + 1;
    return name.textContent.length <= 64 && (isCut || row.scrollHeight > row.clientHeight + 1);
  }).map((row) => row.textContent)`;
  expect(await page.evaluate(cut)).toEqual([]);
});

describe('the table', () => {
  it('is sorted by a column that the address names', async () => {
    const { page } = await open('catalog?server=notes');
    await page.getByRole('button', { name: 'Name' }).click();
    await page
      .getByRole('columnheader', { name: 'Name' })
      .and(page.locator('[aria-sort=ascending]'))
      .waitFor();
    await page.getByRole('button', { name: 'Name' }).click();
    await page.locator('[aria-sort=descending]').waitFor();
    expect(searchOf(page)).toEqual({ server: 'notes', sort: '-name' });
    const names = await page.getByRole('table').getByRole('link').allInnerTexts();
    expect(names).toEqual(['x_notes_list_notes', 'x_notes_delete_note', 'x_notes_create_note']);
  });

  it('has groups that are closed and opened', async () => {
    const { page } = await open('catalog?hint=destructive');
    const group = page.getByRole('button', { name: 'notes 1' });
    await group.click();
    await page.getByRole('link', { name: 'x_notes_delete_note' }).waitFor({ state: 'detached' });
    expect(await group.getAttribute('aria-expanded')).toBe('false');
    await group.click();
    await page.getByRole('link', { name: 'x_notes_delete_note' }).waitFor();
  });

  it('is searched after the key /, and leads to what can be done with a record', async () => {
    const { page } = await open('catalog?server=notes');
    await page.getByRole('link', { name: 'x_notes_create_note' }).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('delete a note');
    await page.waitForURL(/query=delete/);
    await page
      .getByRole('row', { name: /x_notes_delete_note/ })
      .getByRole('button')
      .click();
    await page.getByRole('menuitem', { name: 'Try it' }).click();
    await page.waitForURL(/x_notes_delete_note\?tab=try/);
  });
});

describe('a toolset in the address', () => {
  it('narrows the catalog, with the ways to its reasons and to all tools', async () => {
    const { page } = await open('catalog?toolset=["preset:notes"]');
    await untilCounted(page, '2 tools');
    await page.getByRole('link', { name: 'Show all tools' }).click();
    await page.getByRole('link', { name: 'x_everything_echo' }).waitFor();
    await page.goBack();
    await page.getByRole('link', { name: 'Why these tools' }).click();
    await page.getByRole('region', { name: 'First toolset' }).getByText('preset:notes').waitFor();
  });

  it('that the gateway refuses is refused with its sentence', async () => {
    const { page } = await open('catalog?toolset=["preset:nothing-of-this-name"]');
    await page.getByRole('alert').getByText('unknown preset').waitFor();
  });
});

const FIRST = ['preset:notes', 'server:gone'];
const SECOND = ['server:notes', 'preset:strange'];
const PAIR = `toolsets?left=${JSON.stringify(FIRST)}&right=${JSON.stringify(SECOND)}`;

describe('two toolsets next to each other', () => {
  it('say why a tool is in or out', async () => {
    const { page } = await open(`${PAIR}&show=left-out`);
    const first = page.getByRole('region', { name: 'First toolset' });
    await first.getByText('Resolves to, for you (2)').waitFor();
    await first.getByText('server:gone', { exact: true }).last().waitFor();
    const row = page.getByRole('listitem').filter({ hasText: 'x_notes_delete_note' });
    await row.getByText('preset:notes excludes it: "pattern: *_delete_*"').waitFor();
    await row.getByRole('link').click();
    const reasons = page.getByRole('region', { name: 'Reasons' });
    await reasons.getByText('preset:notes excludes it').waitFor();
    await reasons.getByText('server:notes', { exact: true }).waitFor();
    expect(searchOf(page)).toMatchObject({ tool: 'x_notes_delete_note', show: 'left-out' });
    await reasons.getByRole('button', { name: 'Close the reasons' }).click();
    await reasons.waitFor({ state: 'detached' });
  });

  it('differ in the tools that one of them has', async () => {
    const { page } = await open(PAIR);
    await page.getByRole('region', { name: 'Tools' }).getByText('Different').click();
    const names = page.getByRole('listitem').getByRole('link');
    await page.getByRole('link', { name: 'x_notes_delete_note' }).waitFor();
    expect(await names.allInnerTexts()).not.toContain('x_notes_create_note');
    await page.getByLabel('Find by name').fill('proto');
    await page.getByRole('status').getByText('1 tool', { exact: true }).waitFor();
    expect(await names.allInnerTexts()).toEqual(['x_hostile___proto__']);
  });

  it('are composed on the page, and each is a link', async () => {
    const { page } = await open('toolsets');
    const first = page.getByRole('region', { name: 'First toolset' });
    await first.getByText('Add a preset or a selector to see what it selects.').waitFor();
    await first.getByLabel('Add a preset').selectOption('Read-only tools');
    await first.getByText(/Resolves to, for you \(\d+\)/).waitFor();
    const second = page.getByRole('region', { name: 'Second toolset' });
    await second.getByLabel('Add a selector by name').fill('label:a=b');
    await second.getByRole('button', { name: 'Add' }).click();
    await second.getByText('which is allowed inside presets only').waitFor();
    await second.getByLabel('Add a selector by name').fill('tool:x_hostile___proto__');
    await second.getByRole('button', { name: 'Add' }).click();
    await second.getByText('Resolves to, for you (1)').waitFor();
    const right = '["tool:x_hostile___proto__"]';
    expect(searchOf(page)).toEqual({ left: '["preset:read-only"]', right });
    await second.getByRole('link', { name: 'Open in the catalog' }).click();
    await untilCounted(page, '1 tool');
  });

  it('show the sentence of the gateway for one that it refuses', async () => {
    const { page } = await open('toolsets?left=["preset:gone"]&right=["preset:notes"]');
    const first = page.getByRole('region', { name: 'First toolset' });
    await first.getByRole('alert').getByText('unknown preset').waitFor();
    await page.getByRole('listitem').first().waitFor();
    await page.getByText('This list is that of the second toolset alone').waitFor();
  });
});

const STATES = [
  'catalog?query=note&server=notes&hint=destructive&toolset=["server:notes"]',
  `${PAIR}&show=all&find=hostile&tool=x_hostile_rtl`,
];

testAccessibility('toolsets', suite, () => STATES);

it('compares toolsets with the keyboard alone', async () => {
  const { page } = await open('toolsets?left=["preset:notes"]');
  const first = page.getByRole('region', { name: 'First toolset' });
  await first.getByText('Resolves to, for you (2)').waitFor();
  await first.getByLabel('Add a selector by name').focus();
  await page.keyboard.type('server:hostile');
  await page.keyboard.press('Enter');
  await page.getByText('x_hostile_markup').waitFor();
  await first.getByRole('button', { name: 'Remove preset:notes' }).focus();
  await page.keyboard.press('Enter');
  await first.getByText('preset:notes').waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'x_hostile_markup' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('region', { name: 'Reasons' }).getByText('server:hostile').waitFor();
});
