import { signIn, createTestUser } from '@gateway/test-peers';
import type { JsonObject } from '@gateway/call-contract';
import type { SignInGateway, ToolResult } from './gateway-harness.ts';

/** Signs a person in to a server with a browser. */
export const walk = async (
  gateway: SignInGateway,
  person: string | undefined,
  server: string,
): Promise<void> => {
  const page = await signIn(
    await gateway.linkOf(person, server),
    createTestUser(person ?? 'somebody'),
  );
  if (page.status !== 200) throw new Error(`${String(page.status)} ${page.text}`);
};

/** Returns the names of the tools of servers that a person sees. */
export const toolsOf = async (
  gateway: SignInGateway,
  person?: string,
): Promise<readonly string[]> => {
  const { text } = await gateway.call(person, 'list_tools');
  const { tools } = JSON.parse(text) as { readonly tools: readonly { readonly name: string }[] };
  return tools.map(({ name }) => name).filter((name) => name.startsWith('x_'));
};

/** Calls the tool `whoami` of a server, which returns the facts of the token. */
export const whoami = (
  gateway: SignInGateway,
  person: string | undefined,
  server: string,
): Promise<ToolResult> => gateway.callTool(person, `x_${server}_whoami`);

/** Returns the sign-ins of a person in `auth://status`. */
export const statusOf = async (
  gateway: SignInGateway,
  person?: string,
): Promise<readonly JsonObject[]> => {
  const { contents } = (await gateway.request(person, 'resources/read', {
    uri: 'auth://status',
  })) as unknown as { readonly contents: readonly { readonly text: string }[] };
  const { servers } = JSON.parse(contents[0]?.text ?? '') as {
    readonly servers: readonly JsonObject[];
  };
  return servers;
};
