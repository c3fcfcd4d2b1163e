// Many MCP servers of the 2025 revisions in one process, which answer at once: /s<n>/mcp, each with so many tools.
// The first servers, a number that may be given, have one tool more. Calls are answered after a delay that may be given, in milliseconds.
import { createServer } from 'node:http';
import { answerTo, progressOf, toolsOf } from '../sample-servers.mjs';
import { answerEvents, answerJson, listen, readJson } from './body.mjs';

const [servers, tools, larger = 0, delayMs = 0] = process.argv.slice(2).map(Number);
const countOf = (server) => (server < larger ? tools + 1 : tools);

listen(
  createServer((request, response) => {
    const server = Number(/^\/s(\d+)\/mcp$/u.exec(request.url)?.[1]);
    if (request.method !== 'POST' || !(server < servers)) {
      response.writeHead(405).end();
      return;
    }
    readJson(request, (message) => {
      const respond = () => {
        const answer = answerTo(message, () => toolsOf(server, countOf(server)));
        const progress = progressOf(message);
        if (answer === undefined) response.writeHead(202).end();
        else if (progress.length === 0) answerJson(response, answer);
        else answerEvents(response, [...progress, answer]);
      };
      if (delayMs > 0 && message.method === 'tools/call') setTimeout(respond, delayMs);
      else respond();
    });
  }),
);
