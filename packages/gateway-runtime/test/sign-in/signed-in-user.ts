import { signIn, createTestUser } from '@gateway/test-peers';
import type { JsonObject } from '@gateway/call-contract';
import type { SignInGateway, ToolResult } from './gateway-harness.ts';

/** Signs a user in to a server with a browser. */
export const walk = async (
  gateway: SignInGateway,
  user: string | undefined,
  server: string,
): Promise<void> => {
  const page = await signIn(await gateway.linkOf(user, server), createTestUser(user ?? 'somebody'));
  if (page.status !== 200) throw new Error(`${String(page.status)} ${page.text}`);
};

/** Returns the names of the tools of servers that a user sees. */
export const toolsOf = async (
  gateway: SignInGateway,
  user?: string,
): Promise<readonly string[]> => {
  const { text } = await gateway.call(user, 'list_tools');
  const { tools } = JSON.parse(text) as { readonly tools: readonly { readonly name: string }[] };
  return tools.map(({ name }) => name).filter((name) => name.startsWith('x_'));
};

/** Calls the tool `whoami` of a server, which returns the facts of the token. */
export const whoami = (
  gateway: SignInGateway,
  user: string | undefined,
  server: string,
): Promise<ToolResult> => gateway.callTool(user, `x_${server}_whoami`);

/** Returns the sign-ins of a user in `auth://status`. */
export const statusOf = async (
  gateway: SignInGateway,
  user?: string,
): Promise<readonly JsonObject[]> => {
  const { contents } = (await gateway.request(user, 'resources/read', {
    uri: 'auth://status',
  })) as unknown as { readonly contents: readonly { readonly text: string }[] };
  const { servers } = JSON.parse(contents[0]?.text ?? '') as {
    readonly servers: readonly JsonObject[];
  };
  return servers;
};
