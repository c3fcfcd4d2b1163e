import { Pool } from 'undici';

const CONNECTIONS = 64;

const send = async (pool, { method, path, body }) => {
  const answer = await pool.request({
    method,
    path,
    ...(body !== undefined && {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  });
  const bytes = (await answer.body.arrayBuffer()).byteLength;
  return { status: answer.statusCode, bytes };
};

/**
 * Sends requests at a steady pace, whatever the server does meanwhile. A latency counts from the moment at which the request was
 * due, so that a server that halts is charged for all that waited.
 *
 * @returns one entry for each request: kind, latency in milliseconds, status (0: no answer), bytes of the body
 */
export const steadyLoad = async ({ url, perSecond, seconds, next }) => {
  const pool = new Pool(url, { connections: CONNECTIONS });
  const total = perSecond * seconds;
  const answers = [];
  const open = new Set();
  const start = performance.now();
  const ask = async (request, due) => {
    const { status, bytes } = await send(pool, request).catch(() => ({ status: 0, bytes: 0 }));
    if (status >= 200 && status < 300) request.acknowledged?.();
    answers.push({ kind: request.kind, ms: performance.now() - start - due, status, bytes });
  };
  let sent = 0;
  while (sent < total) {
    const now = performance.now() - start;
    for (; sent < total && (sent * 1_000) / perSecond <= now; sent += 1) {
      const asked = ask(next(), (sent * 1_000) / perSecond);
      open.add(asked);
      void asked.then(() => open.delete(asked));
    }
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  await Promise.all(open);
  await pool.close();
  return answers;
};
