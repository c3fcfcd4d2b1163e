import { listAccessibilityProblems } from '@gateway/test-peers';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { parseRunPage, type RunEntry } from '../../src/pages/runs/run-facts.ts';
import { callGateway } from '../harness/core-tool.ts';
import { portalSuite, testAccessibility } from '../harness/portal-suite.ts';
import { chooseFilter } from '../harness/table.ts';
import { startWorkflowPortal } from '../harness/sample-workflows.ts';
import { button } from '../harness/wizard.ts';

const suite = portalSuite(() => startWorkflowPortal());
const { portal, open } = suite;

/** Runs a workflow with steps that can write: the page asks before. It does not ask before the others. */
const runAndConfirm = async (page: Page): Promise<void> => {
  await button(page, 'Run').click();
  const question = page.getByRole('dialog');
  await question.getByText('does not say whether it deletes or overwrites').waitFor();
  await button(page, 'Call').click();
};

/** Returns the runs of a workflow, newest first. */
const runsOf = async (workflow: string): Promise<readonly RunEntry[]> => {
  const query = { workflow_name: workflow };
  return parseRunPage(await callGateway(portal.gatewayUrl, 'core_workflow_execution_list', query))
    .runs;
};

/** Runs a workflow without the portal, and returns the id of the run. */
const runOnce = async (workflow: string, args = {}): Promise<string> => {
  // A workflow that fails is the subject of the test.
  await callGateway(portal.gatewayUrl, `workflow_${workflow}`, args).catch(() => undefined);
  return (await runsOf(workflow))[0]?.id ?? '';
};

describe('the form of a workflow', () => {
  it('runs it with its arguments, and leads to the run', async () => {
    const before = await runsOf('every-kind');
    const { page } = await open('workflows/every-kind?tab=run');
    await button(page, 'Run').click();
    await page.getByText('The field is required.').first().waitFor();
    expect(await runsOf('every-kind')).toEqual(before);
    await page.getByLabel('title').fill('Groceries');
    await page.getByLabel('twice').check();
    await runAndConfirm(page);
    await page.getByText('The run is completed').waitFor();
    await page.getByRole('link', { name: 'Show its steps and its result' }).click();
    await page.getByRole('heading', { name: 'Run of every-kind' }).waitFor();
    const input = page.getByRole('group', { name: 'Input of the run' });
    await input.getByText('"title": "Groceries"').waitFor();
    await input.getByText('"twice": true').waitFor();
  });

  it('accepts arguments with names of inherited properties', async () => {
    const { page } = await open('workflows/hostile?tab=run');
    await page.getByLabel('constructor').fill('named');
    await runAndConfirm(page);
    await page.getByText('The run is completed').waitFor();
    expect(await page.evaluate('globalThis.isHacked')).toBe(undefined);
  });

  it('says that a run failed', async () => {
    const { page } = await open('workflows/failing?tab=run', { colorScheme: 'dark' });
    await page.getByText('The workflow has no arguments.').waitFor();
    await button(page, 'Run').click();
    await page.getByText('The run failed').waitFor();
    expect(await listAccessibilityProblems(page)).toEqual([]);
    await page.getByRole('tab', { name: 'Runs' }).click();
    await page.getByRole('row').getByText('step second failed').first().waitFor();
  });
});

describe('a run that continues', () => {
  it('reports its progress, is in the list, and ends when it is cancelled', async () => {
    const { page } = await open('workflows/slow?tab=run');
    await button(page, 'Run').click();
    await page.getByText('step first completed').waitFor();
    await page.getByRole('tab', { name: 'Runs' }).click();
    const row = page.getByRole('row').filter({ hasText: 'running' });
    const address = await row.getByRole('link').first().getAttribute('href');
    const other = await open(address ?? '');
    await other.page.getByText('The run continues.').waitFor();
    await button(page, 'Cancel the run').click();
    await page.getByText('The request was cancelled.').waitFor();
    await row.waitFor({ state: 'detached' });
    await other.page.getByText('The run failed').waitFor();
    await other.page
      .getByText(/cancelled/)
      .nth(0)
      .waitFor();
    await other.page.getByRole('button', { name: /^first / }).waitFor();
  });
});

it('is found again, and can be cancelled, after the user left its page', async () => {
  const { page } = await open('workflows/slow?tab=run');
  await button(page, 'Run').click();
  await page.getByText('step first completed').waitFor();
  await page.getByRole('link', { name: 'Presets', exact: true }).click();
  await page.getByRole('heading', { name: 'Presets' }).waitFor();
  await button(page, '1 running').click();
  expect(await listAccessibilityProblems(page)).toEqual([]);
  await page.getByRole('menuitem', { name: 'workflow_slow' }).click();
  await page.getByRole('tab', { name: 'Runs' }).click();
  const running = page.getByRole('row').filter({ hasText: 'Running' });
  await running.getByRole('link').first().click();
  await page.getByRole('link', { name: 'Follow or cancel it' }).click();
  await button(page, 'Cancel the run').click();
  await page.getByText('The request was cancelled.').waitFor();
  await button(page, '1 running').waitFor({ state: 'detached' });
});

describe('the page of a run', () => {
  it('shows every step with its input and its result, each at an address', async () => {
    const id = await runOnce('every-kind', { title: 'Letter' });
    const { page } = await open(`runs/${id}`);
    await page.getByRole('button', { name: /^again .*Skipped$/ }).waitFor();
    await page.getByRole('button', { name: /^list \[1\] .*Completed$/ }).click();
    await page.getByRole('group', { name: 'Input', exact: true }).getByText('notes-work').waitFor();
    expect(new URL(page.url()).searchParams.get('step')).toBe('3');
    await page.reload();
    const result = page.getByRole('group', { name: 'Result', exact: true });
    await result.getByText('list_notes').waitFor();
  });

  it('shows the failure at the step that failed, and the steps after it', async () => {
    const id = await runOnce('failing');
    const { page } = await open(`runs/${id}`);
    await page.getByRole('alert').getByText('step second failed').waitFor();
    await page.getByRole('button', { name: /^second .*Failed/ }).click();
    await page.getByRole('group', { name: 'Failure' }).getByText('expected number').waitFor();
    await page.getByRole('group', { name: 'Input', exact: true }).getByText('no number').waitFor();
    await page.getByRole('button', { name: /^clean .*Completed$/ }).waitFor();
    expect(await page.getByRole('button', { name: /^third / }).count()).toBe(0);
  });

  it('shows times in the zone of the reader', async () => {
    const id = await runOnce('failing');
    const { startedAt = '' } = (await runsOf('failing')).find((run) => run.id === id) ?? {};
    const timezoneId = 'Asia/Kathmandu';
    const styles = { dateStyle: 'medium', timeStyle: 'medium', timeZone: timezoneId } as const;
    const started = new Intl.DateTimeFormat('en-GB', styles).format(Date.parse(startedAt));
    const { page } = await open(`runs/${id}`, { locale: 'en-GB', timezoneId });
    await page.getByText(`Started ${started}`).first().waitFor();
  });

  it('begins with 100 steps', async () => {
    const { page } = await open(`runs/${await runOnce('long')}`);
    await button(page, 'Show all 200 steps').click();
    await page.getByRole('button', { name: /^step-199 / }).waitFor();
  });

  it('names a run that does not exist', async () => {
    const { page } = await open('runs/nothing');
    await page.getByRole('alert').getByText('execution nothing not found').waitFor();
  });
});

describe('the list of all runs', () => {
  it('is narrowed by state, in the address', async () => {
    await Promise.all([runOnce('failing'), runOnce('every-kind', { title: 'Other' })]);
    const { page } = await open('runs');
    await chooseFilter(page, 'State', 'Failed');
    await page.waitForURL('**/runs?status=failed');
    await page.getByRole('row').filter({ hasText: 'failing' }).first().waitFor();
    await expect.poll(() => page.getByRole('row').filter({ hasText: 'Completed' }).count()).toBe(0);
  });

  it('says what to do when a workflow has not run', async () => {
    const { page } = await open('runs?workflow=invalid');
    await page.getByText('This workflow has not run yet.').waitFor();
    await page.getByRole('link', { name: 'Choose a workflow' }).click();
    await page.getByRole('heading', { name: 'Workflows' }).waitFor();
  });
});

testAccessibility('runs', suite, async () => {
  const ids = [await runOnce('failing'), await runOnce('hostile')];
  const paths = ['runs', 'workflows/failing?tab=runs', ...ids.map((id) => `runs/${id}?step=1`)];
  return [...paths, `runs/${ids[1] ?? ''}?step=0`];
});
