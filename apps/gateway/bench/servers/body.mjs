/** Reads a request's body and returns its JSON. */
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

/** Answers with an event stream of JSON texts. */
export const answerEvents = (response, texts) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const text of texts) response.write(`data: ${text}\n\n`);
  response.end();
};

/** Listens on a free port and reports it to the measuring process. */
export const listen = (server) => {
  server.keepAliveTimeout = 60_000;
  server.listen(0, '127.0.0.1', () => {
    process.send({ listening: `http://127.0.0.1:${server.address().port}` });
  });
};
