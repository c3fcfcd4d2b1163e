import { describe, it } from 'vitest';
import { portalSuite } from '../harness/portal-suite.ts';
import { startPortal } from '../harness/portal.ts';

const { open } = portalSuite(() => startPortal({ gatewayArgs: ['--expose', 'native'] }));

describe('the portal before a gateway in native mode', () => {
  it.each([
    ['catalog?server=notes', 'x_notes_create_note'],
    ['servers', 'notes-home'],
    ['workflows', 'remember'],
    ['presets', 'read-only'],
    ['events', 'broken'],
  ])('shows on the page %s what the gateway has', async (path, shown) => {
    const { page } = await open(path);
    await page.getByRole('main').getByText(shown).first().waitFor();
  });

  it('calls a tool by its exposed name', async () => {
    const { page } = await open('catalog/x_everything_get-tiny-image?tab=try');
    await page.getByRole('button', { name: 'Call', exact: true }).click();
    await page.getByRole('status').getByRole('img', { name: 'Result' }).waitFor();
  });
});
