/** A call of a meta-tool over one stateless request. */
export interface MetaToolCall {
  readonly name: string;
  readonly args: object;
  /** The toolset header. */
  readonly toolset?: string | undefined;
  /** The token of the user; the call is anonymous without it. */
  readonly token?: string;
}

/** Fields of an answer of `filter_tools`. */
interface Filtered {
  readonly tools: readonly { readonly name: string }[];
  readonly presets?: readonly { readonly name: string }[];
}

/** The tools that a filter finds, and known presets. */
export interface FoundTools {
  readonly names: readonly string[];
  readonly presets: readonly string[];
}

/** More than there are tools. */
const ALL = 500;

/** Calls a meta-tool of a gateway and returns the text of its result. @throws when the answer has no result */
export async function metaToolText(
  endpoint: URL,
  { name, args, toolset, token }: MetaToolCall,
): Promise<string> {
  const response = await fetch(endpoint, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2025-06-18',
      ...(toolset === undefined ? {} : { 'X-Gateway-Toolset': toolset }),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name, arguments: args },
    }),
  });
  const body = await response.text();
  const json = body.startsWith('{') ? body : (/^data: (\{.*\})$/mu.exec(body)?.[1] ?? body);
  const { result } = JSON.parse(json) as {
    result?: { content: readonly [{ readonly text: string }] };
  };
  if (result === undefined) throw new Error(json);
  return result.content[0].text;
}

/** Returns what `filter_tools` finds. */
export async function filterTools(
  endpoint: URL,
  args: object,
  toolset?: string,
): Promise<FoundTools> {
  const call = { name: 'filter_tools', args: { limit: ALL, ...args }, toolset };
  const filtered = JSON.parse(await metaToolText(endpoint, call)) as Filtered;
  return {
    names: filtered.tools.map(({ name }) => name).toSorted(),
    presets: (filtered.presets ?? []).map(({ name }) => name),
  };
}
