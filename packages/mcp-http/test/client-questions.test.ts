import { afterEach, describe, expect, it } from 'vitest';
import { ANSWERING_CLIENTS, type AnsweringClient } from './answering-clients.ts';
import { interactiveEndpoints } from './interactive-endpoint.ts';

const ELICITATION = {
  method: 'elicitation/create',
  params: { message: 'Your name?', requestedSchema: { type: 'object', properties: {} } },
};
const SAMPLING = {
  method: 'sampling/createMessage',
  params: {
    messages: [{ role: 'user', content: { type: 'text', text: 'Capital of France?' } }],
    maxTokens: 10,
  },
};
const ROOTS = { method: 'roots/list', params: {} };

const textOf = (result: unknown): unknown => {
  const [item] = (result as { content: readonly { text: string }[] }).content;
  return JSON.parse(item?.text ?? 'null') as unknown;
};

describe.each(ANSWERING_CLIENTS)('asking a client of $title', ({ connect }) => {
  const { start, end } = interactiveEndpoints();
  let client: AnsweringClient | undefined;
  afterEach(async () => {
    await client?.close();
    await end();
  });

  it('gets an answer to each kind of question, asked concurrently', async () => {
    const endpoint = await start();
    client = await connect(endpoint.url);
    const questions = [ELICITATION, SAMPLING, ROOTS];
    expect(textOf(await client.callTool('ask', { questions }))).toMatchObject([
      { ok: true, result: { action: 'accept', content: { name: 'Ada' } } },
      { ok: true, result: { role: 'assistant', content: { text: 'Paris' }, model: 'm' } },
      { ok: true, result: { roots: [{ uri: 'file:///home' }] } },
    ]);
    expect(endpoint.mcp.stats().inFlight).toBe(0);
  });

  it('gets answers to questions asked sequentially', async () => {
    const endpoint = await start();
    client = await connect(endpoint.url);
    const questions = [ELICITATION, ELICITATION, ROOTS];
    expect(textOf(await client.callTool('ask-in-turn', { questions }))).toMatchObject([
      { ok: true, result: { content: { name: 'Ada' } } },
      { ok: true, result: { content: { name: 'Ada' } } },
      { ok: true, result: { roots: [{ uri: 'file:///home' }] } },
    ]);
  });

  it('refuses methods that no client answers', async () => {
    const endpoint = await start();
    client = await connect(endpoint.url);
    const questions = [{ method: 'tools/list', params: {} }];
    expect(textOf(await client.callTool('ask', { questions }))).toEqual([
      { ok: false, error: { code: -32601, message: 'A client cannot be asked: "tools/list"' } },
    ]);
  });

  it('exposes the capabilities that the client declared', async () => {
    const endpoint = await start();
    client = await connect(endpoint.url);
    const declared = textOf(await client.callTool('capabilities', {}));
    expect(declared).toMatchObject({ sampling: {}, elicitation: {}, roots: {} });
  });
});
