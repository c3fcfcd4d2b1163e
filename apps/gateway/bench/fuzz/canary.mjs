// A well-behaved client beside the fuzzer. Each request has a toolset and a tool of its own, which its answer must repeat.
import { setTimeout as wait } from 'node:timers/promises';

const TYPES = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
};
const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};

const ERAS = {
  legacy: { headers: () => ({ 'mcp-protocol-version': '2025-11-25' }), params: {} },
  modern: {
    headers: () => ({
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': 'call_tool',
    }),
    params: { _meta: META },
  },
};

const ask = async (url, number) => {
  const era = ERAS[number % 2 === 0 ? 'legacy' : 'modern'];
  const toolset = `tool:canary_${number},server:local`;
  // Every third request reaches the server; the others are refused with their own names.
  const isCalled = number % 3 === 0;
  const name = isCalled ? 'x_local_read_item_0' : `stranger_${number}`;
  const response = await fetch(url, {
    method: 'POST',
    headers: { ...TYPES, ...era.headers(), 'x-gateway-toolset': toolset },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: number,
      method: 'tools/call',
      params: { name: 'call_tool', arguments: { name, arguments: { id: '1' } }, ...era.params },
    }),
  });
  const answer = await response.json();
  const refusal = `tool "${name}" is outside the toolset [tool:canary_${number},server:local]`;
  const text = answer.result?.content?.[0]?.text;
  const isRight = isCalled
    ? answer.result?._meta?.['gateway.internal/tool']?.name === name
    : text === refusal && answer.result.isError === true;
  if (answer.id === number && isRight) return undefined;
  return `request ${number} got ${response.status} ${JSON.stringify(answer).slice(0, 300)}`;
};

/** Starts the client. `stop` resolves with the number of its requests and its wrong answers. */
export const startCanary = (url) => {
  const wrong = [];
  let count = 0;
  let isRunning = true;
  const run = async () => {
    while (isRunning) {
      count += 1;
      const problem = await ask(url, count).catch(
        (error) => `request ${count}: ${error.cause ?? error}`,
      );
      if (problem !== undefined) wrong.push(problem);
      await wait(2);
    }
  };
  const over = run();
  return {
    wrong,
    stop: async () => {
      isRunning = false;
      await over;
      return { count, wrong };
    },
  };
};
