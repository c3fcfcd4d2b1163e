// Measures the processor time of a request with a JSON body of 1 KB against undici, in alternating rounds.
//
//   node bench/pool.mjs [--rounds 9] [--requests 5000]
//
// The server is another process. The figure is the processor time of this process for each request.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { Pool } from 'undici';
import { ConnectionPool } from '../dist/index.js';

const CONNECTIONS = 16;
const BODY = JSON.stringify({ jsonrpc: '2.0', id: 1, result: { text: 'x'.repeat(1_000) } });
const HEADERS = ['content-type', 'application/json', 'accept', 'application/json'];
const REQUEST = { method: 'POST', path: '/', headers: HEADERS, body: BODY };

if (process.argv[2] === 'serve') {
  const server = createServer((request, response) => {
    request.resume().on('end', () => response.end(BODY));
  });
  server.listen(0, '127.0.0.1', () => process.send(server.address().port));
} else await measure();

/** Both call `done` with the text of the response. */
function clientsOf(origin) {
  const own = new ConnectionPool(origin, { maxConnections: CONNECTIONS, connectTimeoutMs: 5_000 });
  const undici = new Pool(origin, { connections: CONNECTIONS });
  const handlerOf = (done) => {
    const chunks = [];
    return {
      onData: (bytes) => chunks.push(bytes.toString()),
      onEnd: () => done(chunks.join('')),
      onFailure: (error) => {
        throw error;
      },
    };
  };
  return {
    own: (done) => own.request(REQUEST, { onHead: () => undefined, ...handlerOf(done) }),
    undici: (done) => {
      const { onData, onEnd, onFailure } = handlerOf(done);
      undici.dispatch(REQUEST, {
        onRequestStart: () => undefined,
        onResponseStart: () => undefined,
        onResponseData: (_controller, bytes) => onData(bytes),
        onResponseEnd: onEnd,
        onResponseError: (_controller, error) => onFailure(error),
      });
    },
    close: async () => {
      own.close();
      await undici.close();
    },
  };
}

/** Returns microseconds of processor time for each request. */
async function stretch(send, requests) {
  const before = process.cpuUsage();
  let left = requests;
  const one = () =>
    new Promise((resolve) => {
      const next = (text) => {
        if (text !== undefined && text.length !== BODY.length) throw new Error('another response');
        left -= 1;
        if (left < 0) resolve();
        else send(next);
      };
      next();
    });
  await Promise.all(Array.from({ length: CONNECTIONS }, one));
  const { user, system } = process.cpuUsage(before);
  return (user + system) / requests;
}

async function measure() {
  const { values } = parseArgs({
    options: {
      rounds: { type: 'string', default: '9' },
      requests: { type: 'string', default: '5000' },
    },
  });
  const requests = Number(values.requests);
  const server = fork(new URL(import.meta.url), ['serve']);
  const [port] = await once(server, 'message');
  const clients = clientsOf(`http://127.0.0.1:${port}`);
  const figures = { own: [], undici: [] };
  for (let round = -1; round < Number(values.rounds); round += 1) {
    for (const name of round % 2 === 0 ? ['own', 'undici'] : ['undici', 'own']) {
      const us = await stretch(clients[name], requests);
      if (round >= 0) figures[name].push(us);
    }
  }
  await clients.close();
  server.kill();
  const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1];
  const ratio = median(figures.own.map((us, index) => us / figures.undici[index]));
  console.log(
    `CPU of a request: ${median(figures.own).toFixed(1)} us, undici ${median(figures.undici).toFixed(1)} us, ratio ${ratio.toFixed(2)}`,
  );
}
