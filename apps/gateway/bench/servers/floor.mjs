// The floor: bare node:http that parses the request and writes an answer as JSON, the one that was prepared for its path.
import { createServer } from 'node:http';
import { answerJson, listen, readJson } from './body.mjs';

const prepared = new Map();
process.on('message', ({ prepare }) => {
  if (prepare !== undefined) prepared.set(prepare.path, prepare.result);
});

listen(
  createServer((request, response) => {
    readJson(request, ({ id }) => {
      const result = prepared.get(request.url);
      answerJson(response, JSON.stringify({ jsonrpc: '2.0', id, result }));
    });
  }),
);
