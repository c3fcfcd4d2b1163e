/** Reads a request's body and hands on its JSON. */
export const readJson = (request, take) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    const body = chunks.length === 1 ? chunks[0] : Buffer.concat(chunks);
    take(JSON.parse(body.toString('utf8')));
  });
};

/** Answers with a JSON text. */
export const answerJson = (response, text) => {
  response.writeHead(200, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
  });
  response.end(text);
};

/** Listens on a free port and tells the process that measures. */
export const listen = (server) => {
  server.keepAliveTimeout = 60_000;
  server.listen(0, '127.0.0.1', () => {
    process.send({ listening: `http://127.0.0.1:${server.address().port}` });
  });
};
