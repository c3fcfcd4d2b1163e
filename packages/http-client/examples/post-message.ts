import { ConnectionPool } from '@gateway/http-client';

/** Posts a message and returns the text of the response. */
export const post = (pool: ConnectionPool, path: string, body: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const chunks: string[] = [];
    pool.request(
      { method: 'POST', path, headers: ['content-type', 'application/json'], body },
      {
        onHead: ({ status }) => chunks.push(`${status}: `),
        onData: (bytes) => chunks.push(bytes.toString('latin1')),
        onEnd: () => resolve(chunks.join('')),
        onFailure: reject,
      },
    );
  });

/** Posts a message to a server of this machine. */
export const postOnce = async (port: number): Promise<string> => {
  const options = { maxConnections: 16, connectTimeoutMs: 5_000 };
  const pool = new ConnectionPool(`http://127.0.0.1:${port}`, options);
  const text = await post(pool, '/mcp', '{"jsonrpc":"2.0","method":"ping","id":1}');
  pool.close();
  return text;
};
