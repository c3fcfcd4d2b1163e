import { once } from 'node:events';
import { createServer } from 'node:http';
import { latencyFigures } from './latency-figures.mjs';

const timed = async (url) => {
  const start = performance.now();
  await (await fetch(url)).arrayBuffer();
  return performance.now() - start;
};

/**
 * Measures a list without other load, alternating with a bare server that returns the same bytes.
 *
 * @param listUrl the URL of the list
 */
export const listBesideFloor = async (listUrl, rounds) => {
  const body = Buffer.from(await (await fetch(listUrl)).arrayBuffer());
  const floor = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length });
    response.end(body);
  }).listen(0, '127.0.0.1');
  await once(floor, 'listening');
  const floorUrl = `http://127.0.0.1:${floor.address().port}/`;
  const latencies = { list: [], floor: [] };
  for (let round = 0; round < rounds; round += 1) {
    latencies.list.push(await timed(listUrl));
    latencies.floor.push(await timed(floorUrl));
  }
  floor.close();
  floor.closeAllConnections();
  const list = latencyFigures(latencies.list);
  const bare = latencyFigures(latencies.floor);
  return { list, floor: bare, timesFloor: list.p50Ms / bare.p50Ms };
};
