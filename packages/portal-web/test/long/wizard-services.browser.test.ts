import { listAccessibilityProblems } from '@gateway/test-peers';
import type { Page, Route } from 'playwright-core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { overflowOf, untilLoaded } from '../harness/layout.ts';
import { portalSuite } from '../harness/portal-suite.ts';
import { startPortal, type PortalOptions, type TestPortal } from '../harness/portal.ts';
import { startSkillHost } from '../harness/skill-host.ts';
import { agentOf, button, continueTo, describeAgent } from '../harness/wizard.ts';

/** Serves the tests that stop nothing. */
const { portal: shared, openEmpty } = portalSuite();

const start = async (options: PortalOptions = {}): Promise<TestPortal> => {
  const portal = await startPortal(options);
  onTestFinished(portal.close);
  return portal;
};

/** Opens an address, after `prepare` has changed what the services answer. */
const open = async (
  portal: TestPortal,
  path: string,
  prepare: (page: Page) => Promise<unknown> = () => Promise.resolve(),
) => {
  const reader = await openEmpty({ mayReport: true });
  await prepare(reader.page);
  await reader.page.goto(new URL(path, portal.url).href);
  return reader;
};

const TOOLS = "Choose the agent's tools";
const REVIEW = 'Review the agent';
const UNAVAILABLE = 'The gateway is not available, so the toolset cannot be resolved here.';
const UNSUPPORTED = "This installation's gateway does not evaluate toolsets yet";

const alertWith = (page: Page, text: string) => page.getByRole('alert').filter({ hasText: text });

interface MetaToolCall {
  readonly params?: { readonly name?: string; arguments?: { toolset?: unknown } };
}

/** Sends calls as a gateway receives them that does not know the argument `toolset` yet. */
const ignoreToolset = async (route: Route): Promise<void> => {
  const body = (route.request().postDataJSON() ?? {}) as MetaToolCall;
  if (body.params?.arguments !== undefined) delete body.params.arguments.toolset;
  await route.continue({ postData: JSON.stringify(body) });
};

const UNKNOWN_FIELD = 'invalid request: unknown field "toolset"';

/** Answers as an agent-manager that does not know toolsets yet. */
const refuseToolset = (route: Route): Promise<void> =>
  route.fulfill({
    status: 400,
    json: { error: { code: 'invalid_request', message: UNKNOWN_FIELD } },
  });

describe('the wizard with a skill repository', () => {
  it('goes through four steps and writes the chosen skills', async () => {
    const host = await startSkillHost();
    onTestFinished(host.close);
    const portal = await start({ agentManagerArgs: host.args });
    const { page } = await open(portal, 'agents/new');
    await page.getByText('Step 1 of 4: Details').waitFor();
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('skilled');
    await page.getByRole('combobox', { name: 'Model' }).fill('claude');
    await continueTo(page, "Choose the agent's skills");
    await page.getByRole('checkbox', { name: 'runbooks' }).check();
    await page.getByRole('checkbox', { name: '<b>hostile</b>' }).waitFor();
    await page.reload();
    const runbooks = page.getByRole('checkbox', { name: 'runbooks' });
    await runbooks.waitFor();
    expect(await runbooks.isChecked()).toBe(true);
    expect(await listAccessibilityProblems(page)).toEqual([]);
    await continueTo(page, TOOLS);
    await page.getByText('Step 3 of 4: Tools').waitFor();
    await continueTo(page, REVIEW);
    await button(page, 'Create agent').click();
    await page.getByRole('link', { name: 'Edit' }).waitFor();
    const url = 'https://git.gateway.internal/platform/skills';
    expect(await agentOf(portal, 'skilled')).toMatchObject({
      skills: { gitRefs: [{ url, path: 'runbooks', ref: 'main', name: 'runbooks' }] },
    });
  });
});

describe('the wizard with a service that does not answer', () => {
  it('says in each step that the gateway is away, still writes the agent, and recovers', async () => {
    const portal = await start();
    const { page } = await open(portal, 'agents/new');
    await portal.stopGateway();
    await describeAgent(page, 'without-gateway');
    await alertWith(page, 'The catalog cannot be read').waitFor();
    await page.getByRole('checkbox', { name: 'Read-only tools' }).click();
    await alertWith(page, UNAVAILABLE).waitFor();
    expect(await page.getByText('The catalog is empty for you').count()).toBe(0);
    expect(await listAccessibilityProblems(page)).toEqual([]);
    await continueTo(page, REVIEW);
    await alertWith(page, UNAVAILABLE).waitFor();
    await page.getByText('agent-manager accepts this agent.').waitFor();
    await button(page, 'Create agent').click();
    await page.getByRole('link', { name: 'Edit' }).waitFor();
    await alertWith(page, UNAVAILABLE).waitFor();
    expect(await agentOf(portal, 'without-gateway')).toMatchObject({
      toolset: ['preset:read-only'],
    });
    await portal.startGatewayAgain();
    await page.getByRole('heading', { name: /Resolves to, for you/ }).waitFor();
    await alertWith(page, UNAVAILABLE).waitFor({ state: 'detached' });
  });

  it('says in each step that agent-manager is away, and writes nothing', async () => {
    const portal = await start();
    const { page } = await open(portal, 'agents/new');
    await untilLoaded(page);
    await portal.stopAgentManager();
    await describeAgent(page, 'without-agent-manager');
    const away = alertWith(page, 'agent-manager did not answer.');
    await away.waitFor();
    await page.getByRole('heading', { name: 'Presets' }).waitFor();
    await continueTo(page, REVIEW);
    await away.waitFor();
    expect(await away.count()).toBe(1);
    expect(await button(page, 'Create agent').isDisabled()).toBe(true);
    await page.goto(new URL('agents', portal.url).href);
    await away.waitFor();
    expect(await page.getByText('There is no agent yet.').count()).toBe(0);
    await page.goto(new URL('agents/default/notes', portal.url).href);
    await away.first().waitFor();
  });
});

describe('the wizard with a service that does not know toolsets', () => {
  it('never shows the catalog of such a gateway as a resolution', async () => {
    const { page } = await open(shared, 'agents/new?step=Tools', (tab) =>
      tab.route('**/mcp', ignoreToolset),
    );
    await alertWith(page, UNSUPPORTED).waitFor();
    await page.getByRole('checkbox', { name: 'Read-only tools' }).click();
    await alertWith(page, UNSUPPORTED).waitFor();
    expect(await page.getByText('Resolves to, for you').count()).toBe(0);
    await page.goto(new URL('agents/default/notes', shared.url).href);
    await alertWith(page, UNSUPPORTED).waitFor();
    expect(await page.getByText('(matches nothing for you)').count()).toBe(0);
  });

  it('shows the refusal of such an agent-manager, and writes nothing', async () => {
    const { page } = await open(shared, 'agents/new', (tab) =>
      tab.route('**/api/v1/agents/validate', refuseToolset),
    );
    await describeAgent(page, 'too-new');
    await alertWith(page, UNKNOWN_FIELD).waitFor();
    await continueTo(page, REVIEW);
    await alertWith(page, UNKNOWN_FIELD).waitFor();
    expect(await button(page, 'Create agent').isDisabled()).toBe(true);
  });

  it('marks every selector that is unknown or selects nothing', async () => {
    const toolset = encodeURIComponent('["preset:gone","server:nope","server:notes"]');
    const { page } = await open(shared, `agents/new?step=Tools&toolset=${toolset}`);
    const chips = page.getByRole('list', { name: 'Chosen selectors' });
    await chips.getByText('preset:gone (unknown)').waitFor();
    await chips.getByText('server:nope (matches nothing for you)').waitFor();
    await page.getByText('Without preset:gone:').waitFor();
    expect(await chips.getByRole('listitem').allInnerTexts()).toContain('server:notes');
    expect(await listAccessibilityProblems(page)).toEqual([]);
  });

  it('shows the sentence of the gateway about a preset that it does not know', async () => {
    const { page } = await open(shared, 'agents/new?step=Tools&toolset=["preset:gone"]');
    await alertWith(page, 'unknown preset "gone"').waitFor();
    expect(await overflowOf(page)).toBe(0);
    await continueTo(page, REVIEW);
    await alertWith(page, 'The gateway does not know a preset of this toolset').waitFor();
    await button(page, 'Back').click();
    await button(page, 'Remove preset:gone').click();
    await alertWith(page, 'unknown preset').waitFor({ state: 'detached' });
    await page.getByRole('heading', { name: 'Resolves to, for you (0)' }).waitFor();
    await page.getByText('This toolset resolves to no tools for you right now.').waitFor();
  });
});
