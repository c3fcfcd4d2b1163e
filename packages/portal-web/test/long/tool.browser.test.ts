import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { overflowOf } from '../harness/layout.ts';
import { portalSuite } from '../harness/portal-suite.ts';

const { open } = portalSuite();

/** Chooses the member of the family that the tool is called at. */
const chooseAccount = async (page: Page): Promise<void> => {
  await page.getByRole('combobox', { name: 'account' }).click();
  await page.getByRole('option', { name: 'notes-home' }).click();
};

describe('the page of a tool', () => {
  it('is reached from the catalog and shows its arguments', async () => {
    const { page } = await open('catalog?query=create+note');
    await page.getByRole('link', { name: 'x_notes_create_note' }).click();
    await page.getByRole('heading', { name: 'x_notes_create_note' }).waitFor();
    await page.getByText('Write a new note').waitFor();
    expect(await page.getByRole('row', { name: 'title required string' }).count()).toBe(1);
  });

  it.each(['markup', 'link', 'long', 'long_word', 'rtl', 'emoji', '__proto__', 'strange_schema'])(
    'of the tool %s shows what it says as text, in 360 pixels',
    async (name) => {
      const { page } = await open(`catalog/x_hostile_${name}`, { width: 360 });
      await page.getByRole('heading', { name: `x_hostile_${name}` }).waitFor();
      await page.getByRole('heading', { name: 'Arguments' }).waitFor();
      expect(await page.evaluate('globalThis.isHacked')).toBe(undefined);
      expect(await overflowOf(page)).toBe(0);
    },
  );

  it('says which tool does not exist', async () => {
    const { page } = await open('catalog/x_notes_nothing');
    await page.getByRole('alert').getByText('Tool not found').waitFor();
  });
});

describe('a call', () => {
  it('sends the fields of the form, and not before the required ones are given', async () => {
    const { page } = await open('catalog/x_notes_create_note?tab=try');
    const call = page.getByRole('button', { name: 'Call' });
    await call.click();
    await page.getByText('The field is required.').first().waitFor();
    await chooseAccount(page);
    await page.getByLabel('title').fill('Groceries');
    await call.click();
    await page.getByText('"title":"Groceries"').waitFor();
  });

  it('sends JSON', async () => {
    const { page } = await open('catalog/x_notes_list_notes?tab=try');
    await page.getByText('JSON', { exact: true }).click();
    await page.getByLabel('Arguments').fill('{"account": "notes-home", "limit": 3}');
    await page.getByRole('button', { name: 'Call' }).click();
    await page.getByText('{"called":"list_notes","with":{"limit":3}}').waitFor();
  });

  it('of a destructive tool asks first', async () => {
    const { page } = await open('catalog/x_notes_delete_note?tab=try');
    await chooseAccount(page);
    await page.getByLabel('id', { exact: false }).first().fill('7');
    await page.getByRole('button', { name: 'Call' }).click();
    const question = page.getByRole('dialog', { name: 'Call a destructive tool?' });
    await question.getByRole('button', { name: 'Do not call' }).click();
    expect(await page.getByText('Result').count()).toBe(0);
    await page.getByRole('button', { name: 'Call' }).click();
    await question.getByRole('button', { name: 'Call', exact: true }).click();
    await page.getByText('"called":"delete_note"').waitFor();
  });
});
