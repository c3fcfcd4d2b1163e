// An MCP server of the 2025 revisions whose tool `ask` asks its client for a name before it answers.
import { createServer } from 'node:http';
import { answerJson, listen, readJson } from '../../bench/servers/body.mjs';

/** The answers of clients that a call waits for, by the id of the question. */
const waiting = new Map();
let questions = 0;

const results = {
  initialize: () => ({
    protocolVersion: '2025-11-25',
    capabilities: { tools: {} },
    serverInfo: { name: 'asking', version: '1.0.0' },
  }),
  ping: () => ({}),
  'tools/list': () => ({ tools: [{ name: 'ask', inputSchema: { type: 'object' } }] }),
};

const ask = ({ id }, response) => {
  const question = `question-${(questions += 1)}`;
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const say = (message) =>
    response.write(`data: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`);
  response.on('close', () => waiting.delete(question));
  waiting.set(question, (answer) => {
    const text = JSON.stringify(answer.result ?? answer.error);
    say({ id, result: { content: [{ type: 'text', text }] } });
    response.end();
  });
  const requestedSchema = { type: 'object', properties: { name: { type: 'string' } } };
  say({ id: question, method: 'elicitation/create', params: { message: 'Who?', requestedSchema } });
};

const serve = (message, response) => {
  const { id, method } = message;
  if (method === undefined) {
    waiting.get(id)?.(message);
    waiting.delete(id);
  }
  if (method === undefined || id === undefined) response.writeHead(202).end();
  else if (method === 'tools/call') ask(message, response);
  else {
    const known = Object.hasOwn(results, method);
    const error = { code: -32601, message: 'Method not found' };
    const answer = known ? { result: results[method]() } : { error };
    answerJson(response, JSON.stringify({ jsonrpc: '2.0', id, ...answer }));
  }
};

listen(
  createServer((request, response) => {
    if (request.method === 'POST') readJson(request, (message) => serve(message, response));
    else response.writeHead(405).end();
  }),
);
