// The floor of calls proxied to a stdio server: bare node:http in front, lines of JSON behind, parsed and written both ways.
import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import { answerJson, listen, readJson } from './body.mjs';
import { eachLine } from './lines.mjs';

const child = spawn(process.execPath, [process.argv[2]], { stdio: ['pipe', 'pipe', 'ignore'] });
const waiting = new Map();
let calls = 0;

eachLine(child.stdout, (line) => {
  const { id, result } = JSON.parse(line);
  waiting.get(id)?.(result);
  waiting.delete(id);
});

listen(
  createServer((request, response) => {
    readJson(request, ({ id, params }) => {
      const call = (calls += 1);
      waiting.set(call, (result) => {
        answerJson(response, JSON.stringify({ jsonrpc: '2.0', id, result }));
      });
      const message = { jsonrpc: '2.0', id: call, method: 'tools/call', params: params.arguments };
      child.stdin.write(`${JSON.stringify(message)}\n`);
    });
  }),
);
process.once('exit', () => child.kill());
process.once('SIGTERM', () => process.exit());
