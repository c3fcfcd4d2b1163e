/** Calls a function with each line of a stream, without its line feed. */
export const eachLine = (stream, take) => {
  let parts = [];
  stream.setEncoding('utf8').on('data', (chunk) => {
    let start = 0;
    for (let end = chunk.indexOf('\n'); end >= 0; end = chunk.indexOf('\n', start)) {
      parts.push(chunk.slice(start, end));
      take(parts.join(''));
      parts = [];
      start = end + 1;
    }
    if (start < chunk.length) parts.push(chunk.slice(start));
  });
};
