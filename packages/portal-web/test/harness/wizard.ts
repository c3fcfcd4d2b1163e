import { createAgentManagerClient, type Agent } from '@gateway/agent-manager-client';
import type { Locator, Page } from 'playwright-core';
import type { TestPortal } from './portal.ts';

/** Returns the button with exactly this name. */
export const button = (page: Page, name: string): Locator =>
  page.getByRole('button', { name, exact: true });

/** Returns the toolset in the address of a page, as JSON. */
export const toolsetOf = (page: Page): string | null =>
  new URL(page.url()).searchParams.get('toolset');

/** Opens the next step of the wizard and waits for its heading. */
export const continueTo = async (page: Page, heading: string): Promise<void> => {
  await button(page, 'Continue').click();
  await page.getByRole('heading', { name: heading }).waitFor();
};

/** Fills the required fields of the first step and opens the step of the tools. */
export const describeAgent = async (page: Page, name: string): Promise<void> => {
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill(name);
  await page.getByRole('combobox', { name: 'Model' }).fill('claude');
  await page.getByLabel('Description').fill('Writes notes');
  await continueTo(page, "Choose the agent's tools");
};

/** Reads an agent of the default namespace; the code of the refusal when there is none. */
export const agentOf = async (
  { agentManagerUrl }: Pick<TestPortal, 'agentManagerUrl'>,
  name: string,
): Promise<Agent | string> => {
  const client = createAgentManagerClient({ baseUrl: agentManagerUrl });
  const answer = await client.getAgent({ namespace: 'default', name });
  return answer.ok ? answer.value : answer.error.code;
};
