import { listAccessibilityProblems } from '@gateway/test-peers';
import { describe, expect, it } from 'vitest';
import { portalSuite } from '../harness/portal-suite.ts';

const { portal, openLoaded } = portalSuite();

describe('the page of a name that does not exist', () => {
  it.each([
    ['catalog/x_nothing', 'Tool not found: x_nothing', 'all tools', 'catalog'],
    ['workflows/nothing', 'workflow nothing not found', 'all workflows', 'workflows'],
    ['runs/nothing', 'execution nothing not found', 'all runs', 'runs'],
    ['servers/nothing', 'MCP server nothing not found', 'all servers', 'servers'],
  ])('%s says how to continue', async (path, sentence, link, target) => {
    const { page } = await openLoaded(path, { width: 360 });
    await page.getByRole('alert').getByText(sentence).waitFor();
    await page.getByText('It was deleted, it is not available to you').waitFor();
    expect(await listAccessibilityProblems(page)).toEqual([]);
    await page.getByRole('link', { name: link, exact: true }).click();
    await page.waitForURL(new URL(target, portal.url).href);
  });

  it('does not say so of a gateway that is away', async () => {
    await portal.stopGateway();
    const { page } = await openLoaded('servers/notes-home', { mayReport: true });
    await page.getByRole('alert').getByText('The gateway did not answer.').waitFor();
    expect(await page.getByText('It was deleted').count()).toBe(0);
  });
});
