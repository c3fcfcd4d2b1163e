import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { callGateway } from '../harness/core-tool.ts';
import { portalSuite } from '../harness/portal-suite.ts';
import { chooseFilter } from '../harness/table.ts';

const { portal, openLoaded: open } = portalSuite();

const rows = (page: Page) => page.getByRole('table', { name: 'Events' }).getByRole('row');

describe('the events', () => {
  it('appear as they happen', async () => {
    const { page } = await open('events?resourceName=appears');
    await page.getByText('No event matches the filters.').waitFor();
    portal.config.server('appears', { type: 'stdio', command: 'x', autoStart: false });
    await rows(page).filter({ hasText: 'MCPServerCreated' }).first().waitFor();
  });

  it('are filtered, and the filters are in the address', async () => {
    const { page } = await open('events');
    const starting = rows(page).filter({ hasText: 'MCPServerStarting' }).first();
    await starting.waitFor();
    await chooseFilter(page, 'Type', 'Warnings');
    await page.waitForURL(/eventType=Warning/);
    await starting.waitFor({ state: 'detached' });
    await rows(page).filter({ hasText: 'MCPServerFailed' }).first().waitFor();
    await page.getByLabel('Find events').fill('notes-home');
    await page.getByText('No event matches the filters.').waitFor();
  });

  it('have a link to their server, and their times are in the zone of the reader', async () => {
    const { page } = await open('events?resourceName=broken&eventType=Warning', {
      timezoneId: 'Asia/Tokyo',
      locale: 'en-GB',
    });
    const time = rows(page).locator('time').first();
    const at = (await time.getAttribute('datetime')) ?? '';
    expect(await time.innerText()).toMatch(/ago$|^now$/);
    expect(await time.getAttribute('title')).toBe(
      new Intl.DateTimeFormat('en-GB', {
        ...{ dateStyle: 'medium', timeStyle: 'medium', timeZone: 'Asia/Tokyo' },
      }).format(Date.parse(at)),
    );
    await rows(page).getByRole('link', { name: 'broken' }).first().click();
    await page.getByRole('heading', { name: 'broken' }).waitFor();
  });
});

it('of the steps of a workflow are counted at their run, unless they are asked for', async () => {
  await callGateway(portal.gatewayUrl, 'workflow_remember', { title: 'Folded' });
  const { page } = await open('events?resourceType=Workflow');
  const run = rows(page).filter({ hasText: 'WorkflowExecutionCompleted' }).first();
  await run.getByText(/· \d+ events of its steps$/).waitFor();
  expect(await rows(page).filter({ hasText: 'WorkflowStep' }).count()).toBe(0);
  await page.getByLabel('Steps of workflows').check();
  await rows(page).filter({ hasText: 'WorkflowStepCompleted' }).first().waitFor();
  await page.waitForURL(/steps=1/);
});

it('shows the metrics of the gateway as charts', async () => {
  const { page } = await open('events');
  const health = page.getByRole('region', { name: 'Health' });
  await health.getByText('Running: 4').waitFor();
  await health.getByText('Failed: 1').waitFor();
  const rates = health.getByText(/^[\d.,]+ per second$/);
  await rates.first().waitFor();
  await health.getByText(/^[\d,]+ ms$/).waitFor();
  expect(await health.locator('polyline').count()).toBe(4);
});
