// The floor of proxied calls: bare node:http in front, undici behind, and the same JSON work: parse and write both ways.
import { createServer } from 'node:http';
import { Pool } from 'undici';
import { answerJson, listen, readJson } from './body.mjs';

const { origin, pathname: path } = new URL(process.argv[2]);
const pool = new Pool(origin, { connections: 64 });
const headers = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
  'mcp-protocol-version': '2025-11-25',
};
let calls = 0;

/** Sends one JSON-RPC request and gives its answer, parsed. */
const ask = async (params) => {
  const body = JSON.stringify({ jsonrpc: '2.0', id: (calls += 1), method: 'tools/call', params });
  const answer = await pool.request({ path, method: 'POST', headers, body });
  return JSON.parse(await answer.body.text());
};

listen(
  createServer((request, response) => {
    readJson(request, async ({ id, params }) => {
      const { result } = await ask(params.arguments);
      answerJson(response, JSON.stringify({ jsonrpc: '2.0', id, result }));
    });
  }),
);
