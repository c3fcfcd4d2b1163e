import { startProtectedServer, startProvider, type ProtectedServer } from '@gateway/test-peers';
import type { Page } from 'playwright-core';
import { afterAll, describe, expect, it } from 'vitest';
import { untilFocused } from '../harness/keyboard.ts';
import { passSignIn } from '../harness/people.ts';
import { portalSuite, testAccessibility } from '../harness/portal-suite.ts';
import { chooseFilter, recordRow as row } from '../harness/table.ts';
import { button } from '../harness/wizard.ts';
import { startPortal } from '../harness/portal.ts';

const PRIVATE = { auth: { allowPrivate: true }, detect: { allowPrivate: true } };
const MANY_MS = 20_000;

const remote = ({ url }: ProtectedServer, auth?: object): object => ({
  ...{ type: 'streamable-http', url, autoStart: true },
  ...(auth !== undefined && { auth }),
});

const ends: (() => Promise<void>)[] = [];
afterAll(() => Promise.all(ends.map((end) => end())));

/** Accepts every request. */
let open: ProtectedServer;

/** Starts a server that users sign in to, one that refuses everybody, and one that accepts every request. */
const startServers = async (): Promise<Readonly<Record<string, object>>> => {
  const provider = await startProvider();
  const [diary, locked] = await Promise.all([
    startProtectedServer({ issuers: [provider.issuer], scopesSupported: ['mcp'] }),
    startProtectedServer({ issuers: [provider.issuer], metadata: 'none' }),
  ]);
  open = await startProtectedServer();
  ends.push(provider.close, diary.close, locked.close, open.close);
  return { diary: remote(diary, { type: 'oauth' }), locked: remote(locked) };
};

const suite = portalSuite(async () =>
  startPortal({ settings: PRIVATE, servers: await startServers() }),
);
const { portal, openLoaded: openPage } = suite;
/** Its gateway permits no changes. */
const readOnly = portalSuite(() => startPortal({ settings: { coreTools: { writes: 'none' } } }));

const state = (page: Page, text: string) =>
  page.getByRole('main').getByText(text, { exact: true }).first();

describe('the page of all servers', () => {
  it('has the group, the family and the last error of each in plain words', async () => {
    const { page } = await openPage('servers');
    await row(page, 'broken').getByText('process exited with code 3').waitFor();
    await chooseFilter(page, 'Group', 'Infrastructure');
    await row(page, 'broken').waitFor({ state: 'detached' });
    const home = row(page, 'notes-home');
    await home.getByText('family notes').waitFor();
    expect(await home.getByRole('cell').nth(2).innerText()).toBe('3');
    await row(page, 'notes-work').waitFor();
  });

  it('keeps its search in the address', async () => {
    const { page } = await openPage('servers?query=everything');
    await row(page, 'everything').waitFor();
    expect(await row(page, 'broken').count()).toBe(0);
    await page.getByLabel('Find servers').fill('create_note');
    await row(page, 'notes-home').waitFor();
    await page.waitForURL(/query=create_note/);
  });

  it('shows a server that appears while the page is open, and its crash', async () => {
    const { page } = await openPage('servers');
    portal.config.server('crashes', {
      ...{ type: 'stdio', command: process.execPath, args: ['--eval', 'process.exit(9)'] },
      autoStart: true,
    });
    const crashes = row(page, 'crashes').getByText('process exited with code 9');
    await crashes.waitFor({ timeout: MANY_MS });
  });

  it('names definitions that cannot be used', async () => {
    const { page } = await openPage('servers');
    portal.config.server('wrong', { type: 'stdio' });
    const alert = page.getByRole('alert').filter({ hasText: 'wrong' });
    await alert.getByText('command is required').waitFor({ timeout: MANY_MS });
  });
});

describe('a server', () => {
  it('is started, restarted and stopped, after a question where something is lost', async () => {
    const { page } = await openPage('servers/stopped');
    const overview = await openPage('servers');
    await row(overview.page, 'stopped').getByText('Stopped', { exact: true }).waitFor();
    await button(page, 'Start').click();
    await page.getByText("Successfully started service 'stopped'").waitFor();
    await state(page, 'Running').waitFor();
    await row(overview.page, 'stopped').getByText('Running').waitFor();
    await button(page, 'Stop').click();
    const question = page.getByRole('dialog', { name: 'Stop this server?' });
    await question.getByRole('button', { name: 'Cancel' }).click();
    await question.waitFor({ state: 'hidden' });
    await untilFocused(button(page, 'Stop'));
    expect(await state(page, 'Running').count()).toBe(1);
    await button(page, 'Stop').click();
    await question.getByRole('button', { name: 'Stop' }).click();
    await state(page, 'Stopped').waitFor();
    await untilFocused(page.getByRole('group', { name: 'Actions' }));
    await expect.poll(() => button(page, 'Start').isEnabled()).toBe(true);
    await page.keyboard.press('Tab');
    await untilFocused(button(page, 'Start'));
    await row(overview.page, 'stopped').getByText('Stopped', { exact: true }).waitFor();
  });

  it('shows its conditions, tools, events and definition', async () => {
    const { page } = await openPage('servers/notes-home');
    await page.getByRole('row', { name: /^Ready True/ }).waitFor();
    await page.getByRole('complementary', { name: 'Facts' }).getByText('3 tools').waitFor();
    await page.getByRole('tab', { name: 'Tools' }).click();
    await page.getByRole('link', { name: 'x_notes_create_note' }).waitFor();
    await page.getByRole('tab', { name: 'Events' }).click();
    await page.getByText('MCPServerStarted', { exact: true }).first().waitFor();
    await page.getByRole('tab', { name: 'Definition' }).click();
    await page.waitForURL(/tab=definition/);
    const yaml = await page.getByRole('region', { name: 'Definition as YAML' }).innerText();
    expect(yaml).toContain('apiVersion: gateway.internal/v1alpha1\nkind: MCPServer\n');
    expect(yaml).toContain('gateway.internal/tool-group: infrastructure');
    expect(yaml).toContain('  family:\n    name: notes\n    instanceArg: account');
  });

  it('shows what it wrote to stderr', async () => {
    const { page } = await openPage('servers/everything?tab=logs');
    await page.getByRole('log').getByText('Starting').first().waitFor();
  });

  it('is started from the list, and the failure of one that cannot start is no success', async () => {
    const { page } = await openPage('servers?query=broken');
    await row(page, 'broken').getByRole('button', { name: 'Actions' }).click();
    await page.getByRole('menuitem', { name: 'Restart' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Restart' }).click();
    const notice = page.getByRole('alert').filter({ hasText: 'Failed to restart service' });
    await notice.getByRole('button', { name: 'Try again' }).waitFor();
    expect(await page.getByText('Successfully').count()).toBe(0);
  });

  it('says that it does not exist', async () => {
    const { page } = await openPage('servers/nothing');
    await page.getByRole('alert').getByText('MCP server nothing not found').waitFor();
  });
});

describe('a server that requires a sign-in', () => {
  const signIn = async (page: Page): Promise<void> => {
    await button(page, 'Sign in to diary').click();
    const [tab] = await Promise.all([
      page.context().waitForEvent('page'),
      page.getByRole('link', { name: 'Continue on the page of the provider' }).click(),
    ]);
    await tab.getByRole('button', { name: 'Continue', exact: true }).click();
    await passSignIn(tab, 'ada', 'h1:text-is("Signed in")');
    await tab.close();
  };

  it('shows its tools to the user who signs in, until the user signs out', async () => {
    const { page } = await openPage('servers/diary?tab=tools');
    await state(page, 'Auth Required').waitFor();
    await signIn(page);
    await state(page, 'Connected').waitFor();
    await page.getByRole('link', { name: 'x_diary_whoami' }).waitFor();
    await button(page, 'Sign out').click();
    await state(page, 'Auth Required').waitFor();
    await page.getByText('None of its tools is in your catalog now.').waitFor();
  });

  it('and names no provider says so', async () => {
    const { page } = await openPage('servers');
    await row(page, 'locked').getByText('Auth Required').waitFor();
    await button(page, 'Sign in to locked').click();
    await page.getByRole('alert').getByText('metadata not found').waitFor();
  });
});

describe('a new server', () => {
  const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });
  const named = (page: Page) => page.getByRole('textbox', { name: /^Name/ }).first();
  const accepted = (page: Page) => page.getByText('The gateway accepts this definition.');

  it('is detected at its address and created', async () => {
    const { page } = await openPage('servers/new');
    await field(page, 'Address').fill(open.url);
    await button(page, 'Detect').click();
    await page.getByText('answers over streamable-http').waitFor();
    await named(page).fill('found');
    await accepted(page).waitFor();
    await button(page, 'Create').click();
    await page.getByRole('heading', { name: 'found' }).waitFor();
    await state(page, 'Connected').waitFor();
    await button(page, 'Delete').click();
    const question = page.getByRole('dialog', { name: 'Delete this server?' });
    await question.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('heading', { name: 'Servers', exact: true }).waitFor();
    await page.getByText(/found.* deleted/).waitFor();
  });

  it('that is a command runs on the machine of the gateway only after a question', async () => {
    const { page } = await openPage('servers/new?by=command');
    await field(page, 'Command').fill('no-such-program');
    await page.getByText('Enter a name, with which the gateway checks').waitFor();
    expect(await page.getByText('argument is required').count()).toBe(0);
    await page.getByText('YAML', { exact: true }).click();
    await page
      .getByLabel('YAML')
      .last()
      .fill(
        'name: local\ntype: stdio\ncommand: no-such-program\nargs: [--root, /data]\nautoStart: true\n',
      );
    await accepted(page).waitFor();
    await page.getByText('Form', { exact: true }).click();
    expect(await named(page).inputValue()).toBe('local');
    await button(page, 'Create').click();
    const question = page.getByRole('dialog', { name: 'Run this program?' });
    await question.getByText('no-such-program --root /data').waitFor();
    await question.getByRole('button', { name: 'Cancel' }).click();
    await question.waitFor({ state: 'hidden' });
    expect(new URL(page.url()).pathname).toBe('/servers/new');
    await button(page, 'Create').click();
    await question.getByRole('button', { name: 'Create and run' }).click();
    await page.getByRole('heading', { name: 'local' }).waitFor();
  });

  it('says what Detect needs for an address that it cannot reach', async () => {
    const { page } = await openPage('servers/new');
    await field(page, 'Address').fill('http://127.0.0.1:1/mcp');
    await button(page, 'Detect').click();
    await page.getByText('detect.allowPrivate: true').waitFor();
  });

  it('takes a secret as a reference, as far as the gateway permits it', async () => {
    const { page } = await openPage('servers/new?by=command');
    await page.getByText('YAML', { exact: true }).click();
    await page
      .getByLabel('YAML')
      .last()
      .fill(
        'name: secretive\ntype: stdio\ncommand: serve\nenvFrom:\n  - name: TOKEN\n    secretKeyRef: { name: tokens, key: token }\n',
      );
    await page.getByText('TOKEN: a reference').waitFor();
    await page.getByText('core tools write no definition that names Secrets').waitFor();
    expect(await button(page, 'Create').isDisabled()).toBe(true);
  });

  it('has the limits, the changes of tools and the bounds of results among its fields', async () => {
    const { page } = await openPage('servers/new?by=command');
    await button(page, 'More settings').click();
    for (const label of ['Limits', 'Tools', 'Check arguments', 'Max result bytes'])
      await page.getByText(label, { exact: true }).first().waitFor();
  });
});

describe('the definition of a server', () => {
  it('is changed with the fields of the gateway, and only what changed is written', async () => {
    const { page } = await openPage('servers/stopped?tab=definition');
    await button(page, 'Edit').click();
    await page.getByRole('textbox', { name: 'Description' }).fill('Notes that do not run');
    await page.getByText('The gateway accepts this definition.').waitFor();
    await button(page, 'Save changes').click();
    const yaml = page.getByRole('region', { name: 'Definition as YAML' });
    await yaml.getByText('description: Notes that do not run').waitFor();
    await yaml.getByText('toolPrefix: stopped').waitFor();
  });
});

describe('a page of a reader who may not change servers', () => {
  it.each(['servers', 'servers/everything', 'servers/new', 'servers/import'])(
    '%s says why, and offers nothing that fails',
    async (path) => {
      const { page } = await readOnly.openLoaded(path);
      await page.getByText('coreTools.writes: all', { exact: false }).waitFor();
      const names = ['Start', 'Stop', 'Restart', 'Delete', 'Create', 'Detect'];
      for (const name of names) expect(await button(page, name).count()).toBe(0);
      expect(await page.getByRole('link', { name: 'Add a server' }).count()).toBe(0);
    },
  );
});

/** The pages that no other test visits: the navigation leads to the others, and the import has tests of its own. */
const PATHS = [
  ...['servers/broken', 'servers/notes-home', 'servers/new', 'servers/new?by=command'],
  'events?resourceName=nothing',
];

testAccessibility('all pages about servers', suite, () => PATHS);
