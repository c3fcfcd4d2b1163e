/** A stdio server with as many tools as its argument says, described as real ones are. `change` renames nothing and describes some of them anew. */
const count = Number(process.argv[2]);
const PAGE = 1_000;
const words =
  'the resource to look at, by name or by label, in the namespace given or in all of them';
const argument = (index) => ({ type: 'string', description: `Argument ${index}: ${words}.` });
const toolOf = (index, description) => ({
  name: `resource_${index}_get`,
  description,
  inputSchema: {
    type: 'object',
    properties: Object.fromEntries(
      Array.from({ length: 6 }, (_, one) => [`argument_${one}`, argument(one)]),
    ),
    required: ['argument_0'],
  },
  annotations: { readOnlyHint: true, openWorldHint: false },
});
const tools = Array.from({ length: count }, (_, index) =>
  toolOf(index, `Shows ${words}. Answers with one object for each, number ${index}.`),
);
const write = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);
const methods = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: { listChanged: true } },
    serverInfo: { name: 'many', version: '1.0.0' },
  }),
  ping: () => ({}),
  'tools/list': ({ cursor = 0 } = {}) => {
    const next = Number(cursor) + PAGE;
    return {
      tools: tools.slice(Number(cursor), next),
      ...(next < count && { nextCursor: String(next) }),
    };
  },
  'tools/call': ({ arguments: { changed } }) => {
    for (let index = 0; index < changed; index += 1)
      tools[index] = toolOf(index, `Described at ${process.hrtime.bigint()}.`);
    // What the gateway counts as one more answer tells it that the list was read again.
    tools[count - 1] = toolOf(count - 1, `Described at ${process.hrtime.bigint()}.`);
    write({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' });
    return { content: [] };
  },
};

let rest = '';
process.stdin.setEncoding('utf8').on('data', (chunk) => {
  const lines = (rest + chunk).split('\n');
  rest = lines.pop();
  for (const line of lines) {
    const { id, method, params } = JSON.parse(line);
    if (id === undefined) continue;
    const answer = methods[method];
    const said = answer
      ? { result: answer(params) }
      : { error: { code: -32601, message: 'Method not found' } };
    write({ jsonrpc: '2.0', id, ...said });
  }
});
