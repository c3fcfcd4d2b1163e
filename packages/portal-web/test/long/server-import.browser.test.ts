import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { untilFocused } from '../harness/keyboard.ts';
import { portalSuite, testAccessibility } from '../harness/portal-suite.ts';

const suite = portalSuite();

const openImport = async (text?: string) => {
  const reader = await suite.openLoaded('servers/import');
  if (text !== undefined) await reader.page.getByLabel('Settings of another program').fill(text);
  return reader;
};
/** Opens the import with the settings of these servers. */
const importServers = (mcpServers: object) => openImport(JSON.stringify({ mcpServers }));

const entry = (page: Page, source: string) =>
  page.getByRole('listitem').filter({
    has: page.getByRole('checkbox', { name: `Create ${source}`, exact: true }),
  });
/** The button that creates the servers, once the gateway has checked them: until then nothing can press or focus it. */
const create = (page: Page, count: number) =>
  page.getByRole('button', {
    name: `Create ${count === 1 ? '1 server' : `${count} servers`}`,
    disabled: false,
  });

it('shows what will be created, with the problems of each server', async () => {
  const url = 'https://wiki.example/mcp';
  const { page } = await importServers({
    'My Files': { command: 'serve-files /data', alwaysAllow: ['x'] },
    everything: { url },
    locked: { url, headers: { Authorization: '${input:key}' } },
    markup: { command: '<img src=x onerror=globalThis.isHacked=true>' },
    relative: { url: 'not a url' },
    elsewhere: { url: '${URL}' },
  });
  const files = entry(page, 'My Files');
  expect(await files.getByLabel('Name').inputValue()).toBe('my-files');
  await files.getByText('becomes the command "serve-files"').waitFor();
  const leftOut = 'Left out, because the gateway has no such field: "alwaysAllow".';
  await files.getByText(leftOut).waitFor();
  await entry(page, 'everything').getByText('has a server of the name "everything"').waitFor();
  await entry(page, 'locked').getByText('is the placeholder "${input:key}"').waitFor();
  await entry(page, 'markup').getByText('is a command line').waitFor();
  const relative = entry(page, 'relative');
  await relative.getByText(/^url: /).waitFor();
  await entry(page, 'elsewhere').getByText('is the placeholder "${URL}"').waitFor();
  await create(page, 1).waitFor();
  expect(await files.getByRole('checkbox').isChecked()).toBe(true);
  expect(await relative.getByRole('checkbox').isChecked()).toBe(false);
  expect(await page.evaluate('globalThis.isHacked')).toBe(undefined);
});

it('creates servers one by one, each with its result', async () => {
  const disabled = { command: 'no-such-program', disabled: true };
  const named = { one: disabled, ['__proto__x']: disabled, notes: disabled, left: disabled };
  const { page } = await importServers(named);
  await entry(page, 'left').getByRole('checkbox').uncheck();
  await entry(page, 'one').getByLabel('Name').fill('everything');
  await entry(page, 'one').getByText('has a server of the name "everything"').waitFor();
  await entry(page, 'one').getByLabel('Name').fill('imported');
  await create(page, 3).click();
  const question = page.getByRole('dialog', { name: 'Run these 3 programs?' });
  await question.getByRole('button', { name: 'Cancel' }).click();
  await question.waitFor({ state: 'hidden' });
  expect(await page.getByText('created successfully').count()).toBe(0);
  await create(page, 3).click();
  await question.getByRole('button', { name: 'Create and run all' }).click();
  await page.getByText('3 created, 0 failed').waitFor();
  await entry(page, 'one').getByText("MCP server 'imported' created successfully").waitFor();
  await entry(page, 'one').getByRole('link', { name: 'Show it' }).click();
  await page.getByRole('heading', { name: 'imported' }).waitFor();
  await page.getByText('Stopped', { exact: true }).waitFor();
});

it('reads a file, and refuses one of ten million characters', async () => {
  const { page } = await openImport();
  const file = page.locator('input[type=file]');
  const json =
    '{"mcpServers": {"__proto__": {"command": "x"}, "constructor": {"url": "https://a.b/"}}}';
  const mimeType = 'application/json';
  await file.setInputFiles({ name: 'a.json', mimeType, buffer: Buffer.from(json) });
  expect(await entry(page, '__proto__').getByLabel('Name').inputValue()).toBe('proto');
  await create(page, 2).waitFor();
  await file.setInputFiles({ name: 'b.json', mimeType, buffer: Buffer.alloc(10_000_000, '[') });
  await page.getByRole('alert').getByText('more than 1,000,000 characters').waitFor();
});

it('says why a text has no servers', async () => {
  const { page } = await openImport('{"mcpServers": {');
  await page.getByRole('alert').getByText('The text is not JSON').waitFor();
  await page.getByLabel('Settings of another program').fill('{"servers": {}}');
  await page.getByRole('alert').getByText('The text has no servers').waitFor();
});

it('is used with the keyboard alone', async () => {
  const { page } = await openImport('{"mcpServers": {"keys": {"command": "x", "disabled": true}}}');
  await create(page, 1).waitFor();
  await page.getByLabel('Settings of another program').focus();
  const keys = entry(page, 'keys');
  for (const next of [
    page.getByRole('button', { name: 'Choose a file' }),
    keys.getByRole('checkbox'),
    keys.getByLabel('Name', { exact: true }),
    create(page, 1),
  ]) {
    await page.keyboard.press('Tab');
    await untilFocused(next);
  }
  await page.keyboard.press('Enter');
  await untilFocused(page.getByRole('button', { name: 'Cancel' }));
  await page.keyboard.press('Tab');
  await untilFocused(page.getByRole('button', { name: 'Create and run' }));
  await page.keyboard.press('Enter');
  await page.getByText('1 created, 0 failed').waitFor();
});

testAccessibility('imports', suite, () => ['servers/import']);
