// Bare node:http that speaks as much MCP as the rows of the benchmark need: sessions, and one list of tools.
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { answerTo, toolsOf } from '../sample-servers.mjs';
import { answerJson, listen, readJson } from './body.mjs';

const tools = Number(process.argv[2]);
const sessions = new Set();

const open = (response) => {
  const id = randomUUID();
  sessions.add(id);
  response.setHeader('mcp-session-id', id);
};

listen(
  createServer((request, response) => {
    if (request.method !== 'POST') {
      sessions.delete(request.headers['mcp-session-id']);
      response.writeHead(204).end();
      return;
    }
    readJson(request, (message) => {
      const answer = answerTo(message, () => toolsOf(0, tools));
      if (message.method === 'initialize') open(response);
      if (answer === undefined) response.writeHead(202).end();
      else answerJson(response, answer);
    });
  }),
);
