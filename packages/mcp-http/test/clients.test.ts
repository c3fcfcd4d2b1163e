import { describe, expect, it } from 'vitest';
import { CLIENTS } from './clients.ts';
import { start, startSample } from './endpoint.ts';
import { readText, until } from './wire-client.ts';

const TOOLS = ['echo', 'headers', 'later-headers', 'odd', 'progress', 'hang', 'throw', 'throw-now'];
const MORE_TOOLS = ['no-object', 'no-json', 'big', 'kilobyte', '__proto__'];

const requestedSchema = { type: 'object', properties: {} };
const ELICITATION = {
  method: 'elicitation/create',
  params: { message: 'Your name?', requestedSchema },
};
const content = { type: 'text', text: 'Capital of France?' };
const SAMPLING = {
  method: 'sampling/createMessage',
  params: { messages: [{ role: 'user', content }], maxTokens: 10 },
};
const ROOTS = { method: 'roots/list', params: {} };
const HEADERS = { 'X-Gateway-Toolset': 'server:a, tool:b' };

describe.each(CLIENTS)('a client of $title', ({ connect, hasSession }) => {
  it('receives the information, the tools in order, and calls them with arguments, _meta and headers', async () => {
    const endpoint = await startSample();
    const { client, transport, callTool } = await connect(endpoint.url, HEADERS);
    expect([client.getServerVersion()?.name, client.getInstructions()]).toEqual([
      'sample',
      'Use echo.',
    ]);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([...TOOLS, ...MORE_TOOLS]);
    const args = { a: [1, null, { b: 'é' }] };
    const meta = { 'example.org/k': 7 };
    expect(readText(await callTool('echo', args, { meta }))).toMatchObject({ args, meta });
    expect(readText(await callTool('headers'))).toEqual([['server:a, tool:b']]);
    expect(transport.sessionId === undefined).toBe(!hasSession);
    await transport.terminateSession();
    expect(endpoint.stats().sessions).toBe(0);
  });

  it('receives progress only when it asks for it', async () => {
    const { callTool } = await connect((await startSample()).url);
    const seen: unknown[] = [];
    const result = await callTool('progress', {}, { onProgress: (p) => seen.push(p) });
    expect(readText(result)).toBe('asked');
    const [first, second] = [
      { progress: 1, total: 2, message: 'half' },
      { progress: 2, total: 2 },
    ];
    expect(seen).toMatchObject([first, second]);
    expect(readText(await callTool('progress'))).toBe('unasked');
  });

  it('receives errors of the protocol, and those of the service without their details', async () => {
    const { callTool } = await connect((await startSample()).url);
    await expect(callTool('constructor')).rejects.toMatchObject({ code: -32602 });
    expect(readText(await callTool('__proto__'))).toBe('proto');
    const message = expect.stringMatching(/^(MCP error -32603: )?Internal error$/) as string;
    for (const name of ['throw', 'throw-now', 'no-object', 'no-json'])
      await expect(callTool(name)).rejects.toMatchObject({ code: -32603, message });
  });

  it('cancels a running call', async () => {
    const endpoint = await startSample();
    const { callTool } = await connect(endpoint.url);
    const abort = new AbortController();
    const call = callTool('hang', {}, { signal: abort.signal });
    await endpoint.untilWaiting(1);
    abort.abort();
    await expect(call).rejects.toThrow();
    await until(() => endpoint.sample.aborted.length === 1 && endpoint.stats().inFlight === 0);
    expect(readText(await callTool('echo', { after: true }))).toMatchObject({
      args: { after: true },
    });
  });
});

describe.each(CLIENTS.filter(({ title }) => title !== 'generation 2, automatic'))(
  'a client of $title that is asked',
  ({ connect }) => {
    it('answers each kind of question, concurrently and in turn, and shows its capabilities', async () => {
      const { url, stats } = await start();
      const { callTool } = await connect(url);
      const ask = async (tool: string, ...questions: object[]) =>
        readText(await callTool(tool, { questions }));
      const elicited = { ok: true, result: { action: 'accept', content: { name: 'Ada' } } };
      const roots = { ok: true, result: { roots: [{ uri: 'file:///home' }] } };
      expect(await ask('ask', ELICITATION, SAMPLING, ROOTS)).toMatchObject([
        elicited,
        { ok: true, result: { role: 'assistant', content: { text: 'Paris' }, model: 'm' } },
        roots,
      ]);
      const inTurn = [elicited, elicited, roots];
      expect(await ask('ask-in-turn', ELICITATION, ELICITATION, ROOTS)).toMatchObject(inTurn);
      const message = 'A client cannot be asked: "tools/list"';
      expect(await ask('ask', { method: 'tools/list', params: {} })).toEqual([
        { ok: false, error: { code: -32601, message } },
      ]);
      const declared = readText(await callTool('capabilities'));
      expect(declared).toMatchObject({ sampling: {}, elicitation: {}, roots: {} });
      expect(stats().inFlight).toBe(0);
    });
  },
);
