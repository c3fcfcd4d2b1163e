import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { button } from '../harness/wizard.ts';
import { startPortal } from '../harness/portal.ts';
import { type ReaderOptions } from '../harness/reader.ts';
import { expectAccessible, portalSuite } from '../harness/portal-suite.ts';

const { open } = portalSuite(() => startPortal({ hasSamples: true }));

const call = (page: Page): Promise<void> => button(page, 'Call').click();

const show = (page: Page, input: 'Form' | 'JSON'): Promise<void> =>
  page.getByText(input, { exact: true }).click();

describe('the arguments of a call', () => {
  it('name their problems at their fields, whatever the names of the fields are', async () => {
    const { page } = await open('catalog/x_samples_repeat?tab=try');
    await page.getByLabel('inner').fill('ab');
    await call(page);
    const problemOf = (label: string) =>
      page.locator('.mantine-InputWrapper-root').filter({ has: page.getByLabel(label) });
    await problemOf('inner').getByText('String is too short (2 < 3).').waitFor();
    await problemOf('constructor').getByText('The field is required.').waitFor();
    await page.getByLabel('inner').fill('abc');
    await page.getByLabel('constructor').fill('own');
    await page.getByLabel('a.b').fill('7');
    await call(page);
    await page.getByText('{"given":{"a.b":7,"c/d":{"inner":"abc"},"constructor":"own"}}').waitFor();
  });

  it('have several lines where they are texts; Enter calls the tool', async () => {
    const { page } = await open('catalog/x_samples_repeat?tab=try');
    await page.getByLabel('constructor').fill('hello\nworld');
    await page.keyboard.press('Shift+Enter');
    await page.keyboard.type('again');
    await page.keyboard.press('Enter');
    const given = String.raw`{"given":{"constructor":"hello\nworld\nagain"}}`;
    await page.getByText(given).waitFor();
  });

  it('name the problem of all fields together', async () => {
    const { page } = await open('catalog/x_samples_at_least_one?tab=try');
    await call(page);
    const alert = page.getByRole('alert');
    await alert.getByText('Instance does not have at least 1 properties.').waitFor();
  });

  it('are the same as a form and as JSON, and __proto__ is an argument like any other', async () => {
    const { page } = await open('catalog/x_samples_repeat?tab=try');
    await page.getByText('A form has no field for the property __proto__.').waitFor();
    await page.getByLabel('constructor').fill('typed');
    await show(page, 'JSON');
    const json = page.getByLabel('Arguments', { exact: true });
    expect(JSON.parse(await json.inputValue())).toMatchObject({ constructor: 'typed' });
    await json.fill('{"constructor": "edited", "__proto__": "own"}');
    await call(page);
    await page.getByText('{"given":{"constructor":"edited","__proto__":"own"}}').waitFor();
    await show(page, 'Form');
    expect(await page.getByLabel('constructor').inputValue()).toBe('edited');
  });

  it('are JSON where the schema has no form, and the rest of the page stays', async () => {
    const { page } = await open('catalog/x_samples_broken_reference?tab=try', {
      mayReport: true,
    });
    const reason = 'The schema has an error, and no form. Enter the values as JSON.';
    await page.getByText(reason).waitFor();
    await page.getByRole('navigation', { name: 'Pages' }).waitFor();
    await page.getByLabel('Arguments', { exact: true }).fill('{"a": 1}');
    await call(page);
    await page.getByText('{"called":"broken_reference"}').waitFor();
  });

  it('name problems that no field shows', async () => {
    const { page } = await open('catalog/x_samples_undeclared?tab=try');
    const missing = 'A form has no field for list. Enter the value as JSON.';
    await page.getByText(missing, { exact: true }).waitFor();
    await call(page);
    const refused = page.getByRole('alert').filter({ hasText: 'Some values are not valid' });
    await refused.getByText('secret: The field is required.', { exact: true }).waitFor();
    await show(page, 'JSON');
    await page.getByLabel('Arguments', { exact: true }).fill('{"secret": "s", "list": [1]}');
    await call(page);
    await page.getByText('{"called":"undeclared"}').waitFor();
    expect(await refused.count()).toBe(0);
  });

  it('that are no JSON object are not sent', async () => {
    const { page } = await open('catalog/x_samples_repeat?tab=try');
    await show(page, 'JSON');
    await page.getByLabel('Arguments', { exact: true }).fill('[1]');
    await call(page);
    await page.getByText('The arguments are not a JSON object.').waitFor();
    expect(await page.getByRole('status').count()).toBe(0);
  });
});

const SUBJECT = 'catalog/x_samples_subject?tab=changes';

/** Lets the server declare its tool `subject` differently. */
const declare = async (description: string, isReadOnly: boolean): Promise<void> => {
  const { page } = await open('catalog/x_samples_declare?tab=try');
  await show(page, 'JSON');
  const value = JSON.stringify({ description, readOnly: isReadOnly });
  await page.getByLabel('Arguments', { exact: true }).fill(value);
  await call(page);
  await page.getByText('declared', { exact: true }).waitFor();
};

/** Opens the changes until the gateway has listed the tools of the server again. */
const openChange = async (options: ReaderOptions = {}) => {
  const reader = await open(SUBJECT, options);
  const { page } = reader;
  const region = page.getByRole('region', { name: 'Changes at samples' });
  const title = region.getByText('The server declares this tool differently');
  await region.waitFor();
  while ((await title.count()) === 0) {
    await page.reload();
    await region.waitFor();
  }
  return { ...reader, region };
};

describe('a tool that its server declares differently', () => {
  it('has the change in its history, and is accepted after a question', async () => {
    const { page: first } = await open(SUBJECT);
    await first.getByText('The server declares this tool as it was accepted.').waitFor();
    await declare('<b>Changed</b>', true);
    const { page, region } = await openChange();
    await region.getByText('It newly declares that it only reads.').waitFor();
    const text = region.getByRole('group', { name: 'Description now' });
    expect(await text.innerText()).toBe('<b>Changed</b>');
    await region.getByText('Only reads: accepted “no”, now “yes”').waitFor();
    await region.getByText('MCPServer samples tool subject changed').waitFor();
    await region.getByRole('button', { name: 'Accept…' }).click();
    const question = page.getByRole('dialog', { name: 'Accept this declaration?' });
    await question.getByRole('button', { name: 'Cancel' }).click();
    await question.waitFor({ state: 'detached' });
    await region.getByRole('button', { name: 'Accept…' }).click();
    await question.getByRole('button', { name: 'Accept', exact: true }).click();
    await region.getByText('The server declares this tool as it was accepted.').waitFor();
    await region.getByText('declared tools accepted: subject').waitFor();
  });

  it.each([
    ['light', 360],
    ['dark', 1200],
  ] as const)('meets WCAG 2.2 AA in %s at %i pixels', async (colorScheme, width) => {
    await declare(`Changed for ${colorScheme}`, width === 360);
    const { page } = await openChange({ colorScheme, width });
    await expectAccessible(page);
  });

  it('of a family has the changes of each member', async () => {
    const { page } = await open('catalog/x_notes_create_note?tab=changes');
    await page.getByRole('region', { name: 'Changes at notes-home' }).waitFor();
    await page.getByRole('region', { name: 'Changes at notes-work' }).waitFor();
  });

  it('is no tool without a server', async () => {
    const { page } = await open('catalog/core_events');
    await page.getByRole('tab', { name: 'Try it' }).waitFor();
    expect(await page.getByRole('tab', { name: 'Changes' }).count()).toBe(0);
  });
});
