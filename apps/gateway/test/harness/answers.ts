import type { TestClient, ToolAnswer } from './clients.ts';

/** The text of a result with one text item. */
export function textOf({ content }: Pick<ToolAnswer, 'content'>): string {
  const [item, ...more] = content;
  if (item?.type !== 'text' || item.text === undefined || more.length > 0)
    throw new Error(`not one text item: ${JSON.stringify(content).slice(0, 500)}`);
  return item.text;
}

/** The value that a meta-tool answers with. Throws on an error result. */
export async function ask<T = Record<string, unknown>>(
  client: TestClient,
  name: string,
  args: Record<string, unknown> = {},
): Promise<T> {
  const answer = await client.call(name, args);
  const text = textOf(answer);
  if (answer.isError === true) throw new Error(`${name}: ${text}`);
  return JSON.parse(text) as T;
}

/** The sentence of an error result. Throws on a result that is none. */
export async function refusalOf(
  client: TestClient,
  name: string,
  args: Record<string, unknown> = {},
): Promise<string> {
  const answer = await client.call(name, args);
  const text = textOf(answer);
  if (answer.isError !== true) throw new Error(`${name} was not refused: ${text.slice(0, 500)}`);
  return text;
}

/** Calls a tool of the catalog through `call_tool`. */
export function callTool(
  client: TestClient,
  name: string,
  args: Record<string, unknown> = {},
): Promise<ToolAnswer> {
  return client.call('call_tool', { name, arguments: args });
}

/** The names of all tools that the client sees. */
export async function toolNames(client: TestClient): Promise<readonly string[]> {
  const { tools } = await ask<{ tools: readonly { name: string }[] }>(client, 'list_tools', {
    limit: 100_000,
  });
  return tools.map(({ name }) => name);
}

/** Returns the result of `core_mcpserver_get` for a server. */
export async function serverInfo(client: TestClient, name: string): Promise<ServerInfo> {
  return JSON.parse(textOf(await callTool(client, 'core_mcpserver_get', { name }))) as ServerInfo;
}

/** A part of the result of `core_mcpserver_get`. */
export interface ServerInfo {
  readonly state: string;
  readonly error?: string;
  readonly connectedAt?: string;
  readonly toolsCount?: number;
  readonly restartCount?: number;
  readonly [key: string]: unknown;
}
